#include "session/consent.h"

#include "session/session_state.h"
#include "system/hash.h"

void em_consent_drop(em_consent *consent)
{
    em_arena_drop(&consent->arena);
}

/* While changes are noted paths lead through what they would have made; else through nothing that
 * is not there. */
static void foresee_made(const em_session *session)
{
    const em_consent *consent = session->consent;
    bool notes = consent && consent->stage == EM_CONSENT_ASKS;
    em_ws_foresee(session->workspace,
                  notes ? (em_paths){consent->made, consent->made_count} : (em_paths){0});
}

/* A call that only asks counts no mistakes where it will be made again. */
void em_session_set_consent(em_session *session, em_consent *consent)
{
    const em_consent *before = session->consent;
    if (before && before->stage == EM_CONSENT_ASKS && before->count > 0)
        session->lasting->mistakes = session->mistakes_before;
    session->consent = consent;
    session->mistakes_before = session->lasting->mistakes;
    foresee_made(session);
}

em_consent *em_session_rehearse(em_session *session, em_consent *rehearsal)
{
    em_consent *before = session->consent;
    session->consent = rehearsal;
    foresee_made(session);
    return before;
}

/* ---- Hashes -------------------------------------------------------------------------------- */

static em_status fingerprint(const em_intended *item, em_hash *out)
{
    EM_AUTO(em_hasher) hasher = {0};
    EM_TRY(em_hasher_start(&hasher));
    em_hasher_add_text(&hasher, em_slice_of(item->path));
    em_hasher_add_text(&hasher, em_slice_of(item->before.hex));
    em_hasher_add_text(&hasher, em_slice_of(item->change.hex));
    *out = em_hasher_end(&hasher);
    return EM_OK;
}

em_status em_consent_fingerprints(const em_consent *consent, em_strbuf *out)
{
    em_hash one;
    for (size_t i = 0; i < consent->count; i++) {
        EM_TRY(fingerprint(&consent->items[i], &one));
        em_strbuf_puts(out, one.hex);
    }
    return out->failed ? EM_E_NOMEM : EM_OK;
}

static bool is_among(em_hash one, em_slice all)
{
    const size_t length = strlen(one.hex);
    for (size_t at = 0; at + length <= all.len; at += length)
        if (memcmp(all.ptr + at, one.hex, length) == 0)
            return true;
    return false;
}

em_status em_consent_hold_to(em_consent *consent, em_slice asked)
{
    em_hash one;
    for (size_t i = 0; i < consent->count; i++) {
        EM_TRY(fingerprint(&consent->items[i], &one));
        consent->items[i].is_overtaken = !is_among(one, asked);
    }
    return EM_OK;
}
