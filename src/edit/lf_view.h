/* lf_view.h: a text of CRLFs or of CRs as if its lines ended in LF.
 *
 * Who searches in the view meets each ending as one byte, so nothing that is found begins or ends
 * inside of one. Of a text without a CR, or whose endings are of several kinds, there is no view.
 */
#ifndef EM_EDIT_LF_VIEW_H
#define EM_EDIT_LF_VIEW_H

#include "text/text.h"

typedef struct em_lf_view {
    em_slice bytes;
    em_eol eol;                     /* what each LF of it stands for; EM_EOL_NONE: no view */
    size_t seen_view, seen_in_text; /* the last offset that was asked for, here and there */
} em_lf_view;

/* The first `length` bytes of a text whose endings are all of that kind, CRLF or CR, not cut inside
 * one; in `arena`.
 * EM_E_NOMEM only. */
em_status em_lf_view_make(em_slice text, size_t length, em_eol eol, em_arena *arena,
                          em_lf_view *view);

/* Where in the view the byte at `offset` of `text`, of which it is, stands; not inside an ending.
 */
size_t em_lf_view_from_text(const em_lf_view *view, em_slice text, size_t offset);

/* Where the byte at `offset` of the view stands in the text. Offsets are asked for in ascending
 * order, which makes all of them cost one pass. */
size_t em_lf_view_to_text(em_lf_view *view, size_t offset);

/* `insert`, which was made of the view, with the endings of the text for its LFs. A CR in it, which
 * cannot come from the view, stays, and an LF behind one too. *out is `insert` itself or in
 * `arena`. EM_E_NOMEM only. */
em_status em_lf_view_endings(const em_lf_view *view, em_slice insert, em_arena *arena,
                             em_slice *out);

#endif
