#include "text/splice.h"

#include "base/utf8.h"

em_splice em_splice_trim(em_slice text, em_splice splice)
{
    em_slice was = em_slice_sub(text, splice.offset, splice.offset + splice.length);
    return em_splice_trim_known(was, splice);
}

em_splice em_splice_trim_known(em_slice was, em_splice splice)
{
    em_shared_ends same = em_utf8_shared_ends(was, splice.insert);
    return (em_splice){.offset = splice.offset + same.head,
                       .length = was.len - same.head - same.tail,
                       .insert =
                           em_slice_sub(splice.insert, same.head, splice.insert.len - same.tail)};
}
