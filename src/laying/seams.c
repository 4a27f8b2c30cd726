#include "laying/seams.h"

em_slice em_place_eol(em_slice text, em_span span, em_eol dominant)
{
    for (size_t at = span.start; at < span.end; at++)
        if (em_eol_at(text, at) != EM_EOL_NONE)
            return em_eol_bytes(em_eol_at(text, at));
    return em_eol_bytes(dominant == EM_EOL_NONE ? EM_EOL_LF : dominant);
}

bool em_joins_words(em_slice text, const em_tolerant_place *place, em_slice result)
{
    em_token before = {0}, behind = {0}, edge;
    em_span span = place->span;
    em_fold fold = place->fold;
    bool is_before = em_token_previous(text, span.start, fold, &before) &&
                     before.end == span.start && em_token_is_word(em_token_bytes(text, before));
    bool is_behind = em_token_next(text, span.end, fold, &behind) && behind.start == span.end &&
                     em_token_is_word(em_token_bytes(text, behind));
    if (result.len == 0)
        return is_before && is_behind && span.end > span.start;
    bool begins = em_token_next(result, 0, fold, &edge) && edge.start == 0 &&
                  em_token_is_word(em_token_bytes(result, edge));
    bool ends = em_token_previous(result, result.len, fold, &edge) && edge.end == result.len &&
                em_token_is_word(em_token_bytes(result, edge));
    return (is_before && begins) || (is_behind && ends);
}

em_slice em_ended_as_before(em_slice text, const em_tolerant_place *place, const em_tokened *insert,
                            em_tokened result)
{
    em_tokened find = em_place_find(place);
    bool ends = place->span.end == text.len && !em_ends_in_eol(text) &&
                em_gap_of(em_tokened_gap(find, find.tokens.count)) == EM_GAP_BREAK;
    size_t wanted = em_gap_breaks(em_tokened_gap(*insert, insert->tokens.count));
    size_t own = em_gap_breaks(em_tokened_gap(result, result.tokens.count));
    return ends && insert->tokens.count > 0 && own >= wanted ? em_without_last_eol(result.text)
                                                             : result.text;
}
