/* check.h: what the tests of this room share. */
#ifndef EM_TESTS_UNIT_CLI_CHECK_H
#define EM_TESTS_UNIT_CLI_CHECK_H

#include <stdio.h>

#include "../with_cmocka.h"

#include "cli/command.h"

#endif
