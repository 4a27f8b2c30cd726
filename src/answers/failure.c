#include "answers/failure.h"

#include "answers/answer.h"
#include "answers/further.h"
#include "answers/places_told.h"
#include "answers/reason.h"
#include "answers/search_hints.h"
#include "answers/similar.h"

void em_add_failure(em_reply *reply, em_slice find)
{
    em_reply_add_lines(reply);
    switch (reply->outcome->status) {
    case EM_E_NO_MATCH:
        em_add_missing(reply, find);
        break;
    case EM_E_COUNT:
        em_add_tier_of_places(reply);
        em_add_places(reply, find);
        break;
    default:
        em_add_advice(reply);
        break;
    }
    if (!em_way_is_clear(reply, reply->shows_correction))
        em_add_rewrite_advice(reply, "");
    if (!reply->call->is_trial)
        em_similar_add_correction(reply);
}
