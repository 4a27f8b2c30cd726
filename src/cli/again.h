/* again.h: the command line to type instead of one that was refused.
 *
 * It is the one that came, with other words and some of its flags otherwise, quoted for a shell. In
 * a terminal it can be copied: what would be shown escaped there is an escape of the shell's, too.
 */
#ifndef EM_CLI_AGAIN_H
#define EM_CLI_AGAIN_H

#include "cli/command.h"

#include "base/strbuf.h"

typedef struct em_again {
    em_word_list words;         /* instead of those that came */
    em_given_flags flags;       /* beside those that came */
    const char *const *without; /* the names of those that came and do not come again,
                                   NULL-terminated */
} em_again;

/* Append it: "emend edit a.txt --old 'b c' --new d". */
void em_add_again(em_strbuf *out, const em_invocation *call, const em_again *again);

/* Append a word so that a shell (bash, zsh, ksh) takes it for just that. */
void em_add_shell_word(em_strbuf *out, em_slice word);

#endif
