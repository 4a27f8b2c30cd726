/* with_cmocka.h: cmocka, with what has to come before it. */
#ifndef EM_TESTS_UNIT_WITH_CMOCKA_H
#define EM_TESTS_UNIT_WITH_CMOCKA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif
