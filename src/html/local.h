/* local.h: edits after which a page reads as meant, which is known without parsing all of it again.
 *
 * A parser goes over a page once, from its beginning to its end, and what it makes of the rest
 * depends on its state alone. So where an edit leaves it in the state that it was in before, the
 * rest of the page reads as it did. Text that takes the place of text does:
 *
 *  (1) Before the edit nothing is changed; behind the start tag the states are the same. The
 *      content is tokenised as data, since the element is of no kind that changes that; and as it
 *      holds no '<', and no reference to a character goes beyond one, all of its tokens are
 *      characters, and at the end tag the tokenizer is where it was.
 *  (2) The old content holds a character that is not blank, and the tree has it right in the
 *      element. So each rule that the parser had for such a character there put it into the current
 *      node; active formatting elements, of which the rule opens those that are not open, were all
 *      open, or they would stand between the two. The same rules take the new characters. What
 *      they change besides is "frameset-ok", and one character that is not blank, as there is in
 *      the old content and in the new, sets it to the same.
 *  (3) Code of templates that begins before the element and ends in it or behind, or begins in it
 *      and ends behind, would hold a tag of the element, and so be none (code.h), or the element
 *      would not be there; and text that holds no '<' and no '>' ends and begins no other.
 *
 * What it rests on is looked at for each edit: the tree's spans, by reading the old content alone,
 * and how the new content is written, in the same way.
 */
#ifndef EM_HTML_LOCAL_H
#define EM_HTML_LOCAL_H

#include "base/deadline.h"
#include "html/edit.h"

/* Is `edit`, planned on `page`, of this kind? EM_E_NOMEM; EM_E_TIMEOUT. */
em_status em_edit_is_local(const em_page *page, const em_edit *edit, em_deadline *deadline,
                           bool *local);

#endif
