/* tokens.h: who may use a server: one token, made at random, or those of a file.
 *
 * A token file has a token a line; empty lines and those that begin with '#' are nothing. Nobody
 * but its owner may read it. One that is not there is made, with a token in it.
 */
#ifndef EM_CLI_TOKENS_H
#define EM_CLI_TOKENS_H

#include "cli/command.h"

typedef struct em_tokens {
    const char **items; /* in the call's arena; none: no token is needed */
    size_t count;
} em_tokens;

/* One at random. What goes wrong has been said. */
bool em_tokens_make(em_invocation *call, em_tokens *tokens);

/* Those of the file. */
bool em_tokens_read(em_invocation *call, const char *path, em_tokens *tokens);

#endif
