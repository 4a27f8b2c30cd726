/* tokens.h: who may use a server: tokens made at random, or those of a file.
 *
 * A token file has a token a line; empty lines are nothing, nor is a remark: '#' at the beginning
 * of a line or behind a blank, and all that follows. With "mcp " before it a token is for MCP
 * clients alone: who has it cannot open the page, and so not say yes to a change. Nobody but its
 * owner may read the file. One that is not there is made, with new tokens in it.
 */
#ifndef EM_CLI_TOKENS_H
#define EM_CLI_TOKENS_H

#include "cli/command.h"

typedef struct em_token_list {
    const char **items;       /* in the call's arena; none: no token is needed */
    size_t count, page_count; /* those that are good for the page come first */
} em_token_list;

/* One at random; `apart`: and another for MCP clients alone. False: there are none, and why has
 * been said. */
bool em_tokens_make(em_invocation *call, bool apart, em_token_list *tokens);

/* Those of the file, or where it has to be made, such ones; the same. */
bool em_tokens_read(em_invocation *call, const char *path, bool apart, em_token_list *tokens);

#endif
