#include "tokens/brackets.h"

#include "base/ascii.h"

em_brackets em_brackets_of(em_slice text)
{
    em_brackets b = {0, 0};
    for (size_t i = 0; i < text.len; i++) {
        b.open += em_is_one_of(text.ptr[i], "{([");
        b.open -= em_is_one_of(text.ptr[i], "})]");
        b.least = b.open < b.least ? b.open : b.least;
    }
    return b;
}

bool em_lacks_opening(em_slice text, em_slice than)
{
    return em_brackets_of(text).least < em_brackets_of(than).least;
}

bool em_lacks_closing(em_slice text, em_slice than)
{
    return em_brackets_of(text).open > em_brackets_of(than).open;
}
