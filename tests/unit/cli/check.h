/* check.h: what the tests of this room share. */
#ifndef EM_TESTS_UNIT_CLI_CHECK_H
#define EM_TESTS_UNIT_CLI_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "cli/command.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif
