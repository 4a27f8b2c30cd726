/* playground.h: a session over a scratch folder, for harnesses that make tool calls. */
#ifndef EM_TESTS_FUZZ_PLAYGROUND_H
#define EM_TESTS_FUZZ_PLAYGROUND_H

#include "dialects/registry.h"

/* The session, over a folder that holds "a.txt"; made at the first call, removed at exit. */
em_session *playground_session(void);

/* Every tool there is. */
const em_toolset *playground_tools(void);

/* Make the folder again what it was. */
void playground_restore(void);

/* A sum over the names and bytes of all that is in the folder. */
em_hash playground_state(void);

#endif
