/* seal.h: what a client keeps for us, and gives back unchanged or not at all.
 *
 * In the stateless era nothing is remembered of a question to a client's user. The client gets a
 * text (`requestState`) and sends it with the answer, together with the whole call. The text names
 * the changes that were asked about and the time until which a yes counts, and carries a keyed hash
 * (HMAC-SHA256) over these, the caller, the tool and the arguments, with a key that only this
 * process knows.
 *
 * It may be sent more than once: what it allows is one change of one content, and once that is made
 * the content is another.
 */
#ifndef EM_SERVE_SEAL_H
#define EM_SERVE_SEAL_H

#include "base/arena.h"
#include "base/status.h"
#include "base/strbuf.h"

#include <stdint.h>

enum {
    EM_SEAL_KEY = 32, /* bytes of a key: random, and known to this process alone */
};

typedef struct em_sealed {
    const char *scope; /* of who is asked (em_link.scope); NULL: there is one caller */
    const char *tool;
    em_slice arguments; /* as JSON, in one canonical form */
    em_slice changes;   /* em_consent_fingerprints() */
    int64_t until_ms;   /* since 1970 */
} em_sealed;

typedef enum em_seal_is {
    EM_SEAL_GOOD,
    EM_SEAL_BAD,     /* not made with this key, or for another caller, tool or arguments */
    EM_SEAL_EXPIRED, /* made so, but the time is up */
} em_seal_is;

/* How it is done is handed in (em_approvals_options), so that who seals nothing, such as the
 * library, needs no cryptography. */
typedef struct em_sealer {
    void (*seal)(const uint8_t key[EM_SEAL_KEY], const em_sealed *sealed, em_strbuf *state);
    /* Of `sealed` the scope, the tool and the arguments are given; where the text is theirs the
     * rest is filled, and borrowed from the text. `now_ms` since 1970. */
    em_seal_is (*unseal)(const uint8_t key[EM_SEAL_KEY], const char *state, int64_t now_ms,
                         em_sealed *sealed);
} em_sealer;

extern const em_sealer em_sealer_hmac;

#endif
