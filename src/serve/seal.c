#include "serve/seal.h"

#include <inttypes.h>
#include <nettle/hmac.h>
#include <nettle/memops.h>
#include <stdio.h>
#include <stdlib.h>

/* "emend1.UNTIL.CHANGE.HMAC": until when in ms, and two hashes in hex. */
#define LEAD "emend1."
enum { CHANGE_HEX = sizeof((em_hash){.hex = ""}.hex) - 1, MAC_HEX = 2 * SHA256_DIGEST_SIZE };

/* The length goes before each text, so that no two lists look alike. */
static void add(struct hmac_sha256_ctx *mac, em_slice text)
{
    char lead[24];
    int length = snprintf(lead, sizeof lead, "%zu:", text.len);
    hmac_sha256_update(mac, (size_t)length, (const uint8_t *)lead);
    hmac_sha256_update(mac, text.len, (const uint8_t *)text.ptr);
}

static void mac_of(const uint8_t key[EM_SEAL_KEY], const em_sealed *sealed, char hex[MAC_HEX + 1])
{
    struct hmac_sha256_ctx mac;
    uint8_t digest[SHA256_DIGEST_SIZE];
    char until[24];
    snprintf(until, sizeof until, "%" PRId64, sealed->until_ms);
    hmac_sha256_set_key(&mac, EM_SEAL_KEY, key);
    add(&mac, em_slice_of("tools/call"));
    add(&mac, em_slice_of(sealed->scope ? sealed->scope : ""));
    add(&mac, em_slice_of(sealed->tool));
    add(&mac, sealed->arguments);
    add(&mac, em_slice_of(sealed->change.hex));
    add(&mac, em_slice_of(until));
    hmac_sha256_digest(&mac, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++)
        snprintf(hex + 2 * i, 3, "%02x", digest[i]);
}

static void seal(const uint8_t key[EM_SEAL_KEY], const em_sealed *sealed, char state[EM_SEAL_SIZE])
{
    char hex[MAC_HEX + 1];
    mac_of(key, sealed, hex);
    snprintf(state, EM_SEAL_SIZE, LEAD "%" PRId64 ".%s.%s", sealed->until_ms, sealed->change.hex,
             hex);
}

static em_seal_is unseal(const uint8_t key[EM_SEAL_KEY], const char *state, int64_t now_ms,
                         em_sealed *sealed)
{
    char hex[MAC_HEX + 1], *end;
    em_sealed claimed = *sealed;
    if (strncmp(state, LEAD, strlen(LEAD)) != 0)
        return EM_SEAL_BAD;
    claimed.until_ms = strtoll(state + strlen(LEAD), &end, 10);
    if (strlen(end) != 1 + CHANGE_HEX + 1 + MAC_HEX || end[0] != '.' || end[1 + CHANGE_HEX] != '.')
        return EM_SEAL_BAD;
    memcpy(claimed.change.hex, end + 1, CHANGE_HEX);
    claimed.change.hex[CHANGE_HEX] = '\0';
    mac_of(key, &claimed, hex);
    if (!memeql_sec(hex, end + 1 + CHANGE_HEX + 1, MAC_HEX))
        return EM_SEAL_BAD;
    *sealed = claimed;
    return now_ms < claimed.until_ms ? EM_SEAL_GOOD : EM_SEAL_EXPIRED;
}

const em_sealer em_sealer_hmac = {seal, unseal};
