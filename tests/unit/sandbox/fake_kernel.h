/* fake_kernel.h: a kernel that remembers what it was asked, and refuses what the test says. */
#ifndef EM_TESTS_UNIT_SANDBOX_FAKE_KERNEL_H
#define EM_TESTS_UNIT_SANDBOX_FAKE_KERNEL_H

#include "sandbox/walls.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "../with_cmocka.h"

enum { RULES_MOST = 16 };

typedef struct fake_kernel {
    em_sandbox_kernel kernel;

    int version;                                    /* of Landlock, or -errno */
    int create_result, add_result, restrict_result; /* 0, or -errno */
    int privileges_result, filter_result;
    int add_fails_at; /* which rule gets add_result, from 1; 0: each */

    em_landlock_rules rules; /* of the ruleset that was made */
    size_t rules_size;
    em_landlock_beneath let_out[RULES_MOST];
    int let_out_count;
    int restricted, filtered, given_up; /* how often */
    uint64_t memory;                    /* that was asked for */
    size_t filter_length;
} fake_kernel;

static inline int fake_create(void *context, const em_landlock_rules *rules, size_t size,
                              uint32_t flags)
{
    fake_kernel *fake = context;
    if (!rules) {
        assert_int_equal(flags, EM_LANDLOCK_VERSION);
        assert_int_equal(size, 0);
        return fake->version;
    }
    assert_int_equal(flags, 0);
    fake->rules = *rules;
    fake->rules_size = size;
    return fake->create_result < 0 ? fake->create_result : open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static inline int fake_add(void *context, int ruleset, const em_landlock_beneath *beneath)
{
    fake_kernel *fake = context;
    assert_true(fcntl(ruleset, F_GETFD) >= 0 && fake->let_out_count < RULES_MOST);
    fake->let_out[fake->let_out_count++] = *beneath;
    bool fails = fake->add_fails_at == 0 || fake->add_fails_at == fake->let_out_count;
    return fails ? fake->add_result : 0;
}

static inline int fake_restrict(void *context, int ruleset)
{
    fake_kernel *fake = context;
    assert_true(fcntl(ruleset, F_GETFD) >= 0);
    fake->restricted++;
    return fake->restrict_result;
}

static inline int fake_give_up(void *context)
{
    fake_kernel *fake = context;
    fake->given_up++;
    return fake->privileges_result;
}

static inline int fake_filter(void *context, const struct sock_fprog *program)
{
    fake_kernel *fake = context;
    assert_int_equal(fake->given_up, 1);
    fake->filtered++;
    fake->filter_length = program->len;
    return fake->filter_result;
}

static inline int fake_memory(void *context, uint64_t bytes)
{
    fake_kernel *fake = context;
    fake->memory = bytes;
    return 0;
}

static inline void fake_kernel_init(fake_kernel *fake, int version)
{
    *fake = (fake_kernel){.kernel = {.context = fake,
                                     .create_ruleset = fake_create,
                                     .add_rule = fake_add,
                                     .restrict_self = fake_restrict,
                                     .no_new_privileges = fake_give_up,
                                     .set_filter = fake_filter,
                                     .limit_memory = fake_memory},
                          .version = version};
}

#endif
