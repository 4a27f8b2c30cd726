/* regex.h: places that a pattern describes, and what comes there.
 *
 * Patterns are those of PCRE2 (pcre2pattern(3)), templates those of its extended substitution
 * (pcre2api(3), "Creating a new string with substitutions"): $1, ${name}, $$, ${1:+yes:no}, \U. A
 * group that took no part in the match is empty.
 * `^` and `$` match at every line, whatever it ends in; a dot matches no line ending. Behind an
 * empty match another one may begin at once, if it is not as empty there; else the search goes on
 * at the next character, and a CRLF is one.
 *
 * Line endings. A pattern that does not speak of CR (pattern_cr.h) means lines, and no match of it
 * begins or ends inside a CRLF:
 *
 *   - where all endings of the text are CRLF, or all are CR, it is matched as if they were LF
 *     (lf_view.h): `\n` is an ending, `$1` has LFs in it. LFs of what the template becomes are then
 *     endings of the text; a CR that the template itself writes stays as it is, and its LF too.
 *   - elsewhere the text is matched as it is. A match that would begin or end inside a CRLF, which
 *     takes a text of mixed endings, is refused: passing it over would leave a place out that was
 *     asked for, and nobody could see it. So is a pattern whose places would be others if each CRLF
 *     were an LF: "b\n" passes over lines for their CR, "\s{2}" takes one line's end for two.
 *
 * A pattern that speaks of CR is matched on the text as it is, and may take what it likes.
 * (*CR) and (*CRLF) at its start speak of it too.
 *
 * A part of the text. The search is one of the part: it begins at its start, its end is the end of
 * the subject, so nothing outside takes bytes away from a match inside. Assertions see what stands
 * before the part (`^`, a lookbehind, \b; \A is the start of the text), and nothing behind it. At
 * its end, which is the start of the next line, there is neither an empty match nor the end of a
 * line, unless that is the end of the text.
 *
 * A pattern may take very long on a text that it was not made for, so the steps at one place and
 * the time for all of them are bounded: beyond that it is refused and nothing is known of the text.
 *
 * \C, which would match a part of a character, is refused.
 */
#ifndef EM_EDIT_REGEX_H
#define EM_EDIT_REGEX_H

#include "base/deadline.h"
#include "draft/draft.h"
#include "text/text.h"

typedef struct em_regex_matches {
    em_found places;
    em_slice *inserts; /* what the template becomes, for each place that is kept */
    em_slice mended;   /* of a failure: the template as it must have been meant; else empty */
} em_regex_matches;

/* What is looked for, and in what. All of it is borrowed. */
typedef struct em_regex_search {
    const em_draft *draft;
    em_span part;         /* of the draft, where the places must lie */
    em_encoding encoding; /* of the draft's text */
    em_slice pattern, replacement;
    size_t most;           /* places that are kept; those behind them are only counted */
    em_deadline *deadline; /* NULL: none */
} em_regex_search;

/* Every place where the pattern matches within the part of the draft, in its offsets, without
 * overlap, from left to right; in `arena`. A part that begins or ends inside a CRLF is taken to be
 * narrower. Expected failures: EM_E_INVALID with EM_CAUSE_PATTERN when the pattern or the template
 * is malformed (the detail says where and why), or the pattern fails while it is matched; without
 * when a match would cut or pass over a CRLF (it says in which line), and with EM_CAUSE_NUL when
 * the template becomes a text with a NUL; EM_E_TIMEOUT when it takes too many steps, or too long.
 */
em_status em_regex_locate(const em_regex_search *search, em_arena *arena, em_regex_matches *found,
                          em_error *err);

#endif
