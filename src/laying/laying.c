/* laying.c: an edit as its difference or as it was sent, and which of the two is right. */
#include "laying/laying.h"

#include "base/ascii.h"
#include "base/strbuf.h"
#include "laying/artifact.h"
#include "laying/completed.h"
#include "laying/leaps.h"
#include "laying/levelling.h"
#include "laying/line_breaks.h"
#include "laying/misplaced.h"
#include "laying/nobreak.h"
#include "laying/skipped_lines.h"
#include "laying/slipped.h"
#include "laying/standing.h"
#include "laying/stripped.h"
#include "laying/transplant.h"
#include "match/block.h"
#include "match/place_edges.h"
#include "match/token_line.h"
#include "text/span.h"
#include "tokens/kept.h"
#include "tokens/line.h"

enum {
    AGAIN = 4096,     /* bytes of the file to both sides when an edit is tried again */
    MOST_DOUBLED = 8, /* lines in a row that may have come twice */
};

/* ---- The replacement as it is ---------------------------------------------------------------- */

/* Has `text`, with these tokens, the same words and signs as the search text? */
static bool repeats_find(const em_tolerant_place *place, em_slice text, em_tokens tokens)
{
    return em_tokened_same((em_tokened){text, tokens},
                           (em_tokened){place->find, place->find_tokens}, place->fold);
}

/* How two texts differ, line by line. */
typedef struct difference {
    bool in_words, in_indents;
} difference;

/* Whole lines of the file, and what they would become in two ways. */
typedef struct versions {
    em_slice seen, laid, given;
    size_t before; /* bytes of them stand before the place */
    em_standing standing;
    difference between; /* `laid` and `given` */
    bool doubles;       /* `laid` has a line twice that the others have once */
} versions;

/* Do CRs end lines there, or would they end new ones? */
static bool has_crs(em_slice seen, em_eol dominant)
{
    bool new = dominant == EM_EOL_CRLF || dominant == EM_EOL_CR;
    return em_slice_has_byte(seen, '\r') || (new && !em_slice_has_byte(seen, '\n'));
}

static bool has_eol(em_slice text)
{
    return em_slice_has_byte(text, '\n') || em_slice_has_byte(text, '\r');
}

static bool begins_with_eol(em_slice text)
{
    return em_eol_at(text, 0) != EM_EOL_NONE;
}

/* Does the place begin in a line's indentation, from *start on? Or with a line ending, as all texts
 * do: then *start is there. */
static bool begins_lines(em_slice text, const em_tolerant_place *place, em_slice laid,
                         size_t *start)
{
    if (em_begins_line(text, place->span.start, start))
        return true;
    *start = place->span.start;
    return begins_with_eol(em_slice_from(text, *start)) && begins_with_eol(laid) &&
           begins_with_eol(place->insert);
}

/* The replacement ends in a line ending where the difference does: that of the file stays, and one
 * that it has behind the place, or lacks at its end, does not come. */
static em_status end_as_laid(em_slice laid, em_slice behind, em_arena *arena, em_slice *given)
{
    em_slice body = em_without_last_eol(laid);
    bool ended = behind.len == 0 || begins_with_eol(behind);
    if (em_ends_in_eol(*given) && !em_ends_in_eol(laid) && ended)
        *given = em_without_last_eol(*given);
    else if (!em_ends_in_eol(*given) && em_ends_in_eol(laid))
        return em_arena_join(arena, *given, em_slice_from(laid, body.len), given);
    return EM_OK;
}

/* The replacement with LFs for its line endings, where its CRs are not meant: the search text has
 * some, too. */
static em_status insert_of(const em_tolerant_place *place, em_arena *arena, em_slice *out)
{
    *out = place->insert;
    bool repeats = place->repeats_crs || em_slice_has_byte(place->find, '\r');
    if (!repeats || !em_slice_has_byte(place->insert, '\r'))
        return EM_OK;
    size_t length = 0;
    char *bytes = em_alloc_raw(arena, place->insert.len);
    if (!bytes)
        return EM_E_NOMEM;
    for (size_t i = 0; i < place->insert.len;) {
        size_t eol = em_eol_length_at(place->insert, i);
        bytes[length++] = eol > 0 ? '\n' : place->insert.ptr[i];
        i += eol > 0 ? eol : 1;
    }
    *out = em_slice_make(bytes, length);
    return EM_OK;
}

/* *comparable: the replacement could stand there as it is: it begins with the blanks before the
 * place, and ends in a line ending where the difference does; and it brings no CRs where there are
 * none. */
static em_status versions_of(em_slice text, const em_tolerant_place *place, em_eol dominant,
                             em_slice laid, em_arena *arena, versions *v, bool *comparable)
{
    size_t start;
    em_slice seen = em_slice_sub(text, place->span.start, place->span.end);
    *comparable = place->insert.len > 0 && seen.len > 0 && begins_lines(text, place, laid, &start);
    if (!*comparable)
        return EM_OK;
    em_slice before = em_slice_sub(text, start, place->span.start);
    v->seen = em_slice_sub(text, start, place->span.end);
    v->before = before.len;
    EM_TRY(insert_of(place, arena, &v->given));
    EM_TRY(em_text_adapt_eols(v->given, seen, dominant, arena, &v->given));
    EM_TRY(end_as_laid(laid, em_slice_from(text, place->span.end), arena, &v->given));
    *comparable = em_slice_starts(v->given, before) &&
                  (has_crs(seen, dominant) || !em_slice_has_byte(v->given, '\r')) &&
                  em_ends_in_eol(v->given) == em_ends_in_eol(laid);
    if (!*comparable)
        return EM_OK;
    return em_arena_join(arena, before, laid, &v->laid);
}

/* The next line of *rest without the blanks around it; *indent is how many stood before it. */
static em_slice next_line(em_slice *rest, size_t *indent)
{
    size_t length = em_line_length(*rest);
    em_slice line = em_slice_sub(*rest, 0, length);
    *rest = em_slice_from(*rest, length + em_eol_length_at(*rest, length));
    *indent = 0;
    while (line.len > 0 && em_is_space_or_tab(line.ptr[line.len - 1]))
        line.len--;
    while (*indent < line.len && em_is_space_or_tab(line.ptr[*indent]))
        ++*indent;
    return em_slice_from(line, *indent);
}

static difference compare(em_slice a, em_slice b)
{
    difference d = {false, false};
    while (a.len > 0 && b.len > 0 && !d.in_words) {
        const char *start_a = a.ptr, *start_b = b.ptr;
        size_t in_a, in_b;
        d.in_words = !em_slice_eq(next_line(&a, &in_a), next_line(&b, &in_b));
        d.in_indents |= !em_slice_eq(em_slice_make(start_a, in_a), em_slice_make(start_b, in_b));
    }
    d.in_words |= a.len > 0 || b.len > 0;
    return d;
}

static bool has_words(em_slice line)
{
    for (size_t i = 0; i < line.len; i++)
        if (em_token_is_word(em_slice_from(line, i)))
            return true;
    return false;
}

static size_t blanks_at(em_slice line, size_t at)
{
    size_t end = at;
    while (end < line.len && em_is_space_or_tab(line.ptr[end]))
        end++;
    return end - at;
}

/* Wherever one has blanks, so has the other, but maybe not as many. */
static bool is_same_but_for_blanks(em_slice a, em_slice b)
{
    size_t in_a = 0, in_b = 0;
    while (in_a < a.len && in_b < b.len) {
        size_t blanks_a = blanks_at(a, in_a), blanks_b = blanks_at(b, in_b);
        bool is_blank = blanks_a > 0 && blanks_b > 0;
        if (!is_blank && a.ptr[in_a] != b.ptr[in_b])
            return false;
        in_a += is_blank ? blanks_a : 1;
        in_b += is_blank ? blanks_b : 1;
    }
    return in_a == a.len && in_b == b.len;
}

/* How many lines end some, with more than blanks and signs in them, that stand right behind the
 * same lines. How many blanks these have does not matter: the difference may have mended them. */
static size_t doubled_lines(em_slice text)
{
    em_slice before[MOST_DOUBLED] = {{0}};
    size_t same[MOST_DOUBLED] = {0}; /* [i]: so many lines are as the line i + 1 lines above */
    bool says[MOST_DOUBLED] = {0};   /* and one of these has more than blanks and signs */
    size_t doubled = 0, unused;
    for (size_t at = 0; text.len > 0; at++) {
        em_slice line = next_line(&text, &unused);
        bool telling = has_words(line);
        for (size_t i = 0; i < MOST_DOUBLED && i < at; i++) {
            bool is_same = is_same_but_for_blanks(line, before[(at - i - 1) % MOST_DOUBLED]);
            same[i] = is_same ? same[i] + 1 : 0;
            says[i] = is_same && (says[i] || telling);
            doubled += same[i] > i && says[i];
        }
        before[at % MOST_DOUBLED] = line;
    }
    return doubled;
}

/* Does the difference bring lines once more that the search text lacks and the replacement has as
 * the file has them? */
static bool is_doubled(em_slice seen, em_slice laid, em_slice given)
{
    size_t doubled = doubled_lines(laid);
    return doubled > doubled_lines(seen) && doubled > doubled_lines(given);
}

/* Does each line stand deeper than the one before it where that opens a block? Only then may its
 * indentation be the file's, and not be lost. */
static bool is_nested(em_slice text)
{
    size_t indent, last_indent = 0;
    bool opens = false;
    while (text.len > 0) {
        em_slice line = next_line(&text, &indent);
        if (line.len == 0)
            continue;
        if (opens && indent <= last_indent && !em_is_one_of(line.ptr[0], "})]"))
            return false;
        opens = em_is_one_of(line.ptr[line.len - 1], "{([:");
        last_indent = indent;
    }
    return true;
}

/* Is the replacement written as the file is, though the search text is not? It stands as deep as
 * the file's lines, and the search text does not; or only behind its lines it has other blanks than
 * the difference, and keeps more lines (not by chance, since it moves them). And the difference
 * keeps none, or fewer, that it does not; where all of the search text is at another depth, what
 * the difference keeps is so by chance. */
static em_status is_as_the_file(const versions *v, em_arena *arena, bool *is)
{
    em_kept kept;
    difference d = v->between;
    *is = false;
    if (!v->standing.insert || (d.in_words && !v->doubles))
        return EM_OK;
    EM_TRY(em_kept_lines(v->seen, v->laid, v->given, arena, &kept));
    if (v->doubles)
        *is = kept.only_a == 0;
    else if (!v->standing.find)
        *is = v->standing.insert_fixes_depth ||
              (!v->standing.is_coincidence && (kept.only_a == 0 || kept.only_a < kept.only_b));
    else
        *is = kept.only_a == 0 && kept.only_b > 0 &&
              (!d.in_indents || (is_nested(v->given) && !v->standing.may_be_coincidence));
    return EM_OK;
}

static em_indent_habit habit_around(em_slice text, const em_tolerant_place *place)
{
    return em_indent_habit_around(text, place->span.start, place->span.end, place->habits);
}

/* Is it the search text that has other steps than the file, and the replacement the file's?
 * (leaps.h) Not where the difference keeps lines that the replacement moves. */
static em_status has_own_steps(const versions *v, em_indent_habit habit, em_arena *arena, bool *has)
{
    em_kept kept;
    *has = !v->between.in_words &&
           em_count_leaps(v->laid, habit) > em_count_leaps(v->given, habit) &&
           em_count_leaps(v->given, habit) <= em_count_leaps(v->seen, habit) &&
           em_stays_within(v->given, v->seen) && em_is_in_steps(v->given, habit);
    if (!*has)
        return EM_OK;
    EM_TRY(em_kept_lines(v->seen, v->laid, v->given, arena, &kept));
    *has = kept.only_a == 0;
    return EM_OK;
}

/* Does all that is new stand in `laid` as the caller wrote it, in its own quotes? */
static bool is_written_so(const em_laid *laid, em_tokened insert)
{
    for (size_t i = 0; i < insert.tokens.count; i++)
        if (laid->origin[i] == EM_NPOS &&
            !em_slice_starts(em_slice_from(laid->text, laid->starts[i]),
                             em_tokened_token(insert, i)))
            return false;
    return true;
}

/* The replacement says more or less than the difference, which keeps comments, empty lines, and
 * signs and blanks within lines, that the search text has not as the file has them. Then `given`
 * becomes the difference, but for the depth of the replacement's own lines. */
static em_status indent_as_given(const em_laid *laid, em_tokened insert, em_arena *arena,
                                 versions *v)
{
    EM_AUTO(em_strbuf) out = {0};
    em_slice indent, there;
    size_t done = 0;
    for (size_t i = 0; i < insert.tokens.count; i++) {
        size_t start = v->before + laid->starts[i];
        if (!em_line_indent(insert, i, &indent) || !em_indent_at(v->laid, start, &there))
            continue;
        em_strbuf_add(&out, em_slice_sub(v->laid, done, start - there.len));
        em_strbuf_add(&out, indent);
        done = start;
    }
    em_strbuf_add(&out, em_slice_from(v->laid, done));
    char *bytes = em_strbuf_finish(&out, arena);
    if (!bytes)
        return EM_E_NOMEM;
    v->given = em_slice_make(bytes, out.len);
    v->between = compare(v->laid, v->given);
    return EM_OK;
}

/* Does the difference move a line that the replacement, unlike the search text, has as it stands in
 * the file? Then neither of the two is right. */
static em_status moves_mended(const versions *v, em_arena *arena, bool *moves)
{
    em_kept kept = {0};
    if (v->standing.some_line_fixed)
        EM_TRY(em_kept_lines(v->seen, v->laid, v->given, arena, &kept));
    *moves = kept.only_b > 0 || v->standing.fix_moves;
    return EM_OK;
}

static size_t blanks_behind(em_slice line)
{
    size_t blanks = 0;
    while (blanks < line.len && em_is_space_or_tab(line.ptr[line.len - 1 - blanks]))
        blanks++;
    return blanks;
}

/* `given` with the line endings of the difference, which has the same lines: that has the file's,
 * line by line where they are mixed. `with_blanks`: and for blanks before these with what it has.
 */
static em_status end_lines_as_laid(em_slice laid, bool with_blanks, em_arena *arena,
                                   em_slice *given)
{
    size_t length = 0;
    char *bytes = em_alloc_raw(arena, given->len + laid.len);
    if (!bytes)
        return EM_E_NOMEM;
    for (em_slice rest = *given; rest.len > 0;) {
        size_t line = em_line_length(rest), end = em_line_length(laid);
        em_slice own = em_eol_bytes(em_eol_at(rest, line)),
                 eol = em_eol_bytes(em_eol_at(laid, end));
        size_t kept = line, from = end;
        size_t blanks = with_blanks ? blanks_behind(em_slice_sub(rest, 0, line)) : 0;
        if (blanks > 0) {
            kept -= blanks;
            from -= blanks_behind(em_slice_sub(laid, 0, end));
        }
        memcpy(bytes + length, rest.ptr, kept);
        length += kept;
        if (end + eol.len > from)
            memcpy(bytes + length, laid.ptr + from, end + eol.len - from);
        length += end + eol.len - from;
        rest = em_slice_from(rest, line + own.len);
        laid = em_slice_from(laid, end + eol.len);
    }
    *given = em_slice_make(bytes, length);
    return EM_OK;
}

/* ---- A first line without its indentation ---------------------------------------------------- */

/* A replacement that came without the indentation of its first line. */
typedef struct bare_first {
    bool is;        /* that line has one in the file */
    bool is_meant;  /* the other lines tell that it has come as it is meant */
    bool is_either; /* it may be another line of the search text, which has none in the file */
    size_t own;     /* the line of the search text that it repeats or changes, by its first token;
                         EM_NPOS: none */
    em_slice seen;  /* what it has in the file; of a new one, what the place's first line has */
} bare_first;

/* Is the replacement's second line one of the search text, and as much deeper than the first? */
static bool keeps_step(em_tokened find, em_tokened insert, const size_t *origin, size_t own)
{
    em_slice first, second, new;
    size_t start, last;
    em_line_around(insert, 0, &start, &last);
    if (++last >= insert.tokens.count || origin[last] == EM_NPOS)
        return false;
    return em_line_indent(find, own, &first) && em_line_indent(find, origin[last], &second) &&
           em_line_indent(insert, last, &new) && second.len >= first.len &&
           second.len - first.len == new.len;
}

/* Do all lines of the search text lack the same indentation, and does line `own`, another than the
 * first, have none but that in the file? Then nobody took the blanks off a first line alone. */
static bool lacks_throughout(em_slice text, const em_tolerant_place *place, size_t own)
{
    em_tokened find = {place->find, place->find_tokens};
    em_slice wanted, seen, lacking;
    if (!em_line_indent(find, own, &wanted) || wanted.len > 0 ||
        !em_seen_indent(text, place, own, &lacking))
        return false;
    for (size_t i = 0; i < find.tokens.count; i++)
        if (em_line_indent(find, i, &wanted) && em_seen_indent(text, place, i, &seen) &&
            !(em_slice_starts(seen, lacking) &&
              em_slice_eq(em_slice_from(seen, lacking.len), wanted)))
            return false;
    return true;
}

/* Is the first line all of it, or is another one less deep than `indent`? */
static bool stays_above(em_tokened insert, em_slice indent)
{
    em_slice other;
    bool alone = true;
    for (size_t i = 1; i < insert.tokens.count; i++) {
        if (!em_line_indent(insert, i, &other))
            continue;
        if (!em_slice_starts(other, indent))
            return true;
        alone = false;
    }
    return alone;
}

static bool has_line(em_tokened text, bool indented)
{
    em_slice indent;
    for (size_t i = 1; i < text.tokens.count; i++)
        if (em_line_indent(text, i, &indent) && indented == (indent.len > 0))
            return true;
    return false;
}

/* Is a new first line as deep as the search text has lines, too, where the lines that are repeated
 * are as deep as in that? Or else nothing of the replacement is indented, or the search text's
 * first line is as deep as in the file, which is `seen`. */
static bool is_as_sent(em_tokened find, em_tokened insert, const size_t *origin, em_slice seen)
{
    em_slice old, new;
    if (!has_line(insert, true) || (em_line_indent(find, 0, &old) && em_slice_eq(old, seen)))
        return true;
    for (size_t i = 1; i < insert.tokens.count; i++)
        if (origin[i] != EM_NPOS && em_line_indent(insert, i, &new) &&
            em_line_indent(find, origin[i], &old) && !em_slice_eq(old, new))
            return false;
    return has_line(find, false);
}

/* Is the line that token `at` of the search text begins the replacement's first one, up to whose
 * token `last` that goes? */
static bool is_first_line(em_tokened find, size_t at, em_tokened insert, size_t last)
{
    size_t same = 0, start, end;
    while (same <= last && at + same < find.tokens.count &&
           em_slice_eq(em_tokened_token(find, at + same), em_tokened_token(insert, same)))
        same++;
    if (same <= last)
        return false;
    em_line_around(find, at, &start, &end);
    return end == at + last;
}

/* Does another line of the search text than its first go that the replacement's first line repeats
 * as well, and that has no indentation in the file? Then it may be the first that goes. */
static bool may_be_other(em_slice text, const em_tolerant_place *place, em_tokened find,
                         em_tokened insert, const size_t *origin)
{
    em_slice unused, seen;
    size_t start, last;
    em_line_around(insert, 0, &start, &last);
    for (size_t at = 1, i = 0; at < find.tokens.count; at++) {
        while (i < insert.tokens.count && (origin[i] == EM_NPOS || origin[i] < at))
            i++;
        bool stays = i < insert.tokens.count && origin[i] == at;
        if (!stays && em_line_indent(find, at, &unused) && em_seen_indent(text, place, at, &seen) &&
            seen.len == 0 && is_first_line(find, at, insert, last))
            return true;
    }
    return false;
}

static em_status bare_first_of(em_slice text, const em_tolerant_place *place, em_tokened insert,
                               em_arena *arena, bare_first *bare)
{
    em_tokened find = {place->find, place->find_tokens};
    size_t *origin;
    *bare = (bare_first){.own = EM_NPOS};
    if (insert.tokens.count == 0 || insert.tokens.items[0].start > 0)
        return EM_OK;
    EM_TRY(em_redline(&find, &insert, arena, &origin));
    size_t own = em_first_counterpart(find, insert, origin);
    bool is_new = own == EM_NPOS;
    bare->is = em_seen_indent(text, place, is_new ? 0 : own, &bare->seen) && bare->seen.len > 0;
    bare->own = own;
    bare->is_meant =
        is_new ? is_as_sent(find, insert, origin, bare->seen)
               : keeps_step(find, insert, origin, own) ||
                     (lacks_throughout(text, place, own) && stays_above(insert, bare->seen));
    bare->is_either = bare->is && own == 0 && may_be_other(text, place, find, insert, origin);
    return EM_OK;
}

/* ---- Either of the two ----------------------------------------------------------------------- */

/* laid->text, which the difference gave, becomes the replacement as it is where that is right:
 * *as_given. */
static em_status prefer(em_slice text, const em_tolerant_place *place, em_tokened insert,
                        bool filled, em_eol dominant, em_arena *arena, em_laid *laid, bool *sound,
                        bool *as_given)
{
    versions v;
    em_standing standing;
    bool is, moves;
    *as_given = false;
    EM_TRY(em_standing_of(text, place, &insert, laid, filled, arena, &standing));
    EM_TRY(versions_of(text, place, dominant, laid->text, arena, &v, &is));
    if (!is) {
        em_slice seen = em_slice_sub(text, place->span.start, place->span.end);
        *sound = *sound && !standing.fix_moves && !is_doubled(seen, laid->text, place->insert);
        return EM_OK;
    }
    v.standing = standing;
    v.between = compare(v.laid, v.given);
    v.doubles = is_doubled(v.seen, v.laid, v.given);
    if (v.between.in_words && !v.doubles && is_written_so(laid, insert))
        EM_TRY(indent_as_given(laid, insert, arena, &v));
    EM_TRY(is_as_the_file(&v, arena, &is));
    if (!is && *sound)
        EM_TRY(has_own_steps(&v, habit_around(text, place), arena, &is));
    EM_TRY(moves_mended(&v, arena, &moves));
    if (is && !v.between.in_words)
        EM_TRY(end_lines_as_laid(v.laid, !v.standing.find && !v.doubles, arena, &v.given));
    if (is)
        laid->text = em_slice_from(v.given, v.before);
    *as_given = is;
    *sound = is || (*sound && !v.doubles && !moves);
    return EM_OK;
}

/* Is it no line that is compared, but words in one? */
static bool is_within_line(em_slice text, const em_tolerant_place *place)
{
    size_t start;
    return !em_begins_line(text, place->span.start, &start) && !has_eol(place->find) &&
           !has_eol(place->insert);
}

/* Does the first line open a block, or end one? Then what follows it is deeper, or less deep, for
 * that. */
static bool opens_by_first_line(em_tokened insert)
{
    size_t first, last;
    em_line_around(insert, 0, &first, &last);
    return em_opens_block(insert, last) || em_only_ends_block(insert, 0);
}

/* A replacement may have come without the indentation of its first line alone. Where the other
 * lines tell that it stands as the file does, and the search text does not, that line, if it is the
 * search text's first one, has the indentation of the file's, unless it may be another one. Else it
 * is not clear how deep it belongs, where the search text has come with its own. */
static em_status prefer_given(em_slice text, const em_tolerant_place *place, em_eol dominant,
                              em_arena *arena, em_laid *laid, bool *sound, bool *as_given)
{
    em_tokened insert = {place->insert, laid->insert}, full = insert;
    em_standing others;
    em_tolerant_place filled = *place;
    bare_first bare;
    *as_given = false;
    if (repeats_find(place, place->insert, insert.tokens))
        return EM_OK; /* what changes blanks alone has rules of its own (reindent.h) */
    if (is_within_line(text, place))
        return EM_OK;
    EM_TRY(bare_first_of(text, place, insert, arena, &bare));
    if (!bare.is)
        return prefer(text, place, insert, false, dominant, arena, laid, sound, as_given);
    bool opens = opens_by_first_line(insert);
    EM_TRY(em_arena_join(arena, bare.seen, place->insert, &full.text));
    EM_TRY(em_tokens_of(full.text, place->fold, arena, &full.tokens));
    EM_TRY(em_standing_of(text, place, opens ? &insert : &full, NULL, true, arena, &others));
    bool is_either = bare.is_either && others.known && others.insert;
    bool is_cut = place->find_tokens.items[0].start == 0; /* as the search text is */
    bool is_own = bare.own == 0 || (bare.own == EM_NPOS && is_cut && !opens && others.insert);
    bool fills = is_own && !is_either && others.known && !others.find;
    if (fills)
        filled.insert = full.text;
    EM_TRY(prefer(text, &filled, fills ? full : insert, fills, dominant, arena, laid, sound,
                  as_given));
    bool known = is_cut || (fills && others.insert) || bare.is_meant;
    *sound = *sound && known && !is_either && (fills || !*as_given);
    return EM_OK;
}

/* ---- Trying again ---------------------------------------------------------------------------- */

/* Does the place end its line, whatever blanks follow, or else the search text not end in a line
 * ending? */
static bool ends_as_found(em_slice text, const em_tolerant_place *place)
{
    em_tokened find = {place->find, place->find_tokens};
    return em_gap_of(em_tokened_gap(find, find.tokens.count)) != EM_GAP_BREAK ||
           em_gap_behind_place(text, place) == EM_GAP_BREAK;
}

/* The place's tokens in what comes there, where this has the words and signs that the file has
 * there: not those of the search text, which may have slips and lack comments. */
static em_status tokens_again(em_slice text, const em_tolerant_place *place, em_slice result,
                              em_arena *arena, em_token **again, bool *same)
{
    em_slice seen = em_slice_sub(text, place->span.start, place->span.end);
    em_tokens there, here;
    size_t next = 0, count = place->find_tokens.count;
    EM_TRY(em_tokens_of(seen, place->fold, arena, &there));
    EM_TRY(em_tokens_of(result, place->fold, arena, &here));
    *same = here.count == there.count;
    *again = em_alloc_array(arena, count, sizeof **again);
    if (!*again)
        return EM_E_NOMEM;
    for (size_t i = 0; i < there.count && *same; i++) {
        em_token token = there.items[i];
        *same = em_token_same(em_token_bytes(seen, token), em_token_bytes(result, here.items[i]),
                              place->fold);
        if (next < count && place->span.start + token.start == place->tokens[next].start)
            (*again)[next++] = here.items[i];
    }
    *same &= next == count;
    return EM_OK;
}

/* The text around the place with the result in it, and the place as it is found there again; *same
 * is false where it is not, since it has other tokens or its line goes on. */
static em_status after(em_slice text, const em_tolerant_place *place, em_slice result,
                       em_arena *arena, em_slice *around, em_tolerant_place *again, bool *same)
{
    em_token *tokens;
    em_span span = place->span;
    em_span wide = em_span_widened(text, span, AGAIN);
    EM_TRY(tokens_again(text, place, result, arena, &tokens, same));
    if (!*same)
        return EM_OK;
    size_t length = span.start - wide.start + result.len + wide.end - span.end;
    char *bytes = em_alloc_raw(arena, length);
    if (!bytes)
        return EM_E_NOMEM;
    memcpy(bytes, text.ptr + wide.start, span.start - wide.start);
    memcpy(bytes + span.start - wide.start, result.ptr, result.len);
    memcpy(bytes + length - (wide.end - span.end), text.ptr + span.end, wide.end - span.end);
    *around = em_slice_make(bytes, length);
    for (size_t i = 0; i < place->find_tokens.count; i++) {
        tokens[i].start += span.start - wide.start;
        tokens[i].end += span.start - wide.start;
    }
    *again = *place;
    again->tokens = tokens;
    again->span = em_place_span(*around, place->find, place->find_tokens, tokens, place->fold);
    *same = ends_as_found(*around, again);
    return em_adjust_place_edges(*around, (em_places){again, 1}, arena);
}

/* Where only blanks change, the search text is found again afterwards: then nothing may be left to
 * change, else the edit would be made once more each time. */
static em_status is_settled(em_slice text, const em_tolerant_place *place, em_eol dominant,
                            em_slice result, em_arena *arena, bool *settled)
{
    em_tolerant_place again;
    em_slice around;
    em_laid laid;
    bool same, unused;
    EM_TRY(after(text, place, result, arena, &around, &again, &same));
    *settled = true;
    if (!same)
        return EM_OK;
    EM_TRY(em_transplant_difference(around, &again, dominant, arena, &laid, &unused));
    *settled = em_slice_eq(laid.text, em_slice_sub(around, again.span.start, again.span.end));
    return EM_OK;
}

/* Search text and replacement may be at two wrong depths (levelling.h): then *place becomes one
 * with the replacement as deep as the search text, and *laid what the difference gives of that.
 * *level: false where neither of the two may be laid in as it is. */
static em_status level_out(em_slice text, em_tolerant_place *place, em_eol dominant,
                           em_arena *arena, em_laid *laid, bool *sound, bool *level)
{
    em_levelling levelling;
    *level = true;
    if (!*sound || repeats_find(place, place->insert, laid->insert))
        return EM_OK;
    EM_TRY(em_levelling_of(text, place, laid, arena, &levelling));
    *level = !levelling.may_move;
    *sound = levelling.keeps || levelling.insert.ptr;
    if (levelling.keeps || !*sound)
        return EM_OK;
    place->insert = levelling.insert;
    EM_TRY(em_transplant_difference(text, place, dominant, arena, laid, sound));
    EM_TRY(em_levelling_of(text, place, laid, arena, &levelling));
    *sound = *sound && levelling.keeps;
    return EM_OK;
}

em_status em_lay(em_slice text, const em_tolerant_place *place, em_eol dominant, em_arena *arena,
                 em_slice *out, bool *sound)
{
    em_tolerant_place plain;
    em_indent_habits habits = {.text = text};
    em_laid laid;
    bool clear, level, known, as_given;
    EM_TRY(em_without_nobreaks(text, place, arena, &plain));
    if (!plain.habits)
        plain.habits = &habits;
    EM_TRY(em_without_empty_lead(text, arena, &plain, &clear));
    EM_TRY(em_take_line_breaks(text, arena, &plain));
    EM_TRY(em_fill_stripped(text, arena, &plain));
    EM_TRY(em_mend_slipped_lines(text, arena, &plain, &known));
    EM_TRY(em_complete_find(text, arena, &plain));
    EM_TRY(em_transplant_difference(text, &plain, dominant, arena, &laid, sound));
    EM_TRY(level_out(text, &plain, dominant, arena, &laid, sound, &level));
    EM_TRY(*sound ? is_settled(text, &plain, dominant, laid.text, arena, sound) : EM_OK);
    EM_TRY(prefer_given(text, &plain, dominant, arena, &laid, sound, &as_given));
    if (*sound && !as_given)
        *sound = !em_has_misplaced_line(text, &plain, &laid, habit_around(text, &plain));
    *sound = *sound && level && clear && known && em_skipped_lines_stay(text, &plain, laid.text) &&
             !em_place_has_artifact(text, place);
    *out = laid.text;
    em_slice before = em_slice_sub(text, place->span.start, plain.span.start);
    return before.len > 0 ? em_arena_join(arena, before, laid.text, out) : EM_OK;
}
