/* made_up.h: answers about outcomes that no call has, for the tests of their parts. */
#ifndef EM_TESTS_UNIT_DIALECTS_MADE_UP_H
#define EM_TESTS_UNIT_DIALECTS_MADE_UP_H

#include "answers/reply.h"
#include "calls.h"
#include "dialects/registry.h"

static const em_words made_up_words = {.find = "old_text", .insert = "new_text"};

/* A reply about an outcome that a test makes up. */
typedef struct made_up {
    caller c;
    em_toolset set;
    em_call call;
    em_outcome outcome;
    em_reply reply;
} made_up;

static inline void made_up_drop(made_up *m)
{
    em_reply_drop(&m->reply);
    caller_drop(&m->c);
}

static inline void made_up_open(made_up *m, const char *tools, const char *tool, em_error error)
{
    em_error err = EM_ERROR_INIT;
    *m = (made_up){.outcome = {.status = error.code, .error = error, .edit_id = ""}};
    caller_open(&m->c, tools);
    assert_int_equal(em_toolset_choose("all", false, &m->c.s.arena, &m->set, &err), EM_OK);
    m->call = (em_call){
        .session = m->c.s.session, .arena = &m->c.s.arena, .tool = em_toolset_find(&m->set, tool)};
    assert_int_equal(em_toolset_choose(tools, false, &m->c.s.arena, &m->set, &err), EM_OK);
    m->call.offered = &m->set;
    em_reply_init(&m->reply, &m->call, &made_up_words, "a.txt", &m->outcome);
}

#endif
