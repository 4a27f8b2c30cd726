#include "serve/seal.h"

#include <inttypes.h>
#include <nettle/hmac.h>
#include <nettle/memops.h>
#include <stdio.h>
#include <stdlib.h>

/* "emend1.UNTIL.CHANGES.HMAC": until when in ms, and hashes in hex. */
#define LEAD "emend1."
enum { MAC_HEX = 2 * SHA256_DIGEST_SIZE };

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
    add(&mac, sealed->changes);
    add(&mac, em_slice_of(until));
    hmac_sha256_digest(&mac, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++)
        snprintf(hex + 2 * i, 3, "%02x", digest[i]);
}

static void seal(const uint8_t key[EM_SEAL_KEY], const em_sealed *sealed, em_strbuf *state)
{
    char hex[MAC_HEX + 1];
    mac_of(key, sealed, hex);
    em_strbuf_printf(state, LEAD "%" PRId64 ".", sealed->until_ms);
    em_strbuf_add(state, sealed->changes);
    em_strbuf_printf(state, ".%s", hex);
}

static em_seal_is unseal(const uint8_t key[EM_SEAL_KEY], const char *state, int64_t now_ms,
                         em_sealed *sealed)
{
    char hex[MAC_HEX + 1], *end;
    em_sealed claimed = *sealed;
    if (strncmp(state, LEAD, strlen(LEAD)) != 0)
        return EM_SEAL_BAD;
    claimed.until_ms = strtoll(state + strlen(LEAD), &end, 10);
    const size_t length = strlen(end);
    if (length < 1 + 1 + MAC_HEX || end[0] != '.' || end[length - MAC_HEX - 1] != '.')
        return EM_SEAL_BAD;
    claimed.changes = em_slice_make(end + 1, length - 1 - 1 - MAC_HEX);
    mac_of(key, &claimed, hex);
    if (!memeql_sec(hex, end + length - MAC_HEX, MAC_HEX))
        return EM_SEAL_BAD;
    *sealed = claimed;
    return now_ms < claimed.until_ms ? EM_SEAL_GOOD : EM_SEAL_EXPIRED;
}

const em_sealer em_sealer_hmac = {seal, unseal};
