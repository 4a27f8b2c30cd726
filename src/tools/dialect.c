#include "tools/dialect.h"

void em_answer_drop(em_answer *answer)
{
    json_decref(answer->object);
    json_decref(answer->meta);
    json_decref(answer->native);
    *answer = (em_answer){0};
}
