#include "laying/as_given.h"

#include "base/ascii.h"
#include "base/line.h"
#include "base/strbuf.h"
#include "laying/bare_first.h"
#include "laying/leaps.h"
#include "laying/reindent.h"
#include "laying/standing.h"
#include "match/block.h"
#include "match/token_line.h"
#include "tokens/kept.h"

enum { MOST_DOUBLED = 8 }; /* lines in a row that may have come twice */

/* ---- The two versions ------------------------------------------------------------------------ */

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
    return repeats ? em_text_with_lfs(place->insert, arena, out) : EM_OK;
}

/* *comparable: the replacement could stand there as it is: it begins with the blanks before the
 * place, and ends in a line ending where the difference does; and it brings no CRs where there are
 * none. */
static em_status versions_of(const em_laying *l, const em_tolerant_place *place, versions *v,
                             bool *comparable)
{
    size_t start;
    em_slice text = l->text, laid = l->laid.text;
    em_arena *arena = l->arena;
    em_slice seen = em_slice_sub(text, place->span.start, place->span.end);
    *comparable = place->insert.len > 0 && seen.len > 0 && begins_lines(text, place, laid, &start);
    if (!*comparable)
        return EM_OK;
    em_slice before = em_slice_sub(text, start, place->span.start);
    v->seen = em_slice_sub(text, start, place->span.end);
    v->before = before.len;
    EM_TRY(insert_of(place, arena, &v->given));
    EM_TRY(em_text_adapt_eols(v->given, seen, l->dominant, arena, &v->given));
    EM_TRY(end_as_laid(laid, em_slice_from(text, place->span.end), arena, &v->given));
    *comparable = em_slice_starts(v->given, before) &&
                  (has_crs(seen, l->dominant) || !em_slice_has_byte(v->given, '\r')) &&
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

/* Is it the search text that has other steps than the file, and the replacement the file's?
 * (leaps.h) Not where the file leaps itself, as lines do that are aligned, nor where the difference
 * keeps lines that the replacement moves. */
static em_status has_own_steps(const versions *v, em_indent_habit habit, em_arena *arena, bool *has)
{
    em_kept kept;
    size_t seen = em_count_leaps(v->seen, habit), given = em_count_leaps(v->given, habit),
           laid = em_count_leaps(v->laid, habit);
    *has = !v->between.in_words && laid > given && laid > seen && given <= seen &&
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
    EM_TRY(em_strbuf_keep(&out, arena, &v->given));
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
 * line by line where they are mixed. `with_blanks`: and with its blanks before these. */
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
        if (with_blanks) {
            kept -= blanks_behind(em_slice_sub(rest, 0, line));
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

/* ---- Either of the two ----------------------------------------------------------------------- */

/* l->laid.text, which the difference gave, becomes the replacement as it is where that is right:
 * *as_given. */
static em_status prefer(em_laying *l, const em_tolerant_place *place, em_tokened insert,
                        bool filled, bool *as_given)
{
    versions v;
    em_standing standing;
    bool is, moves;
    *as_given = false;
    EM_TRY(em_standing_of(l->text, place, &insert, &l->laid, filled, l->arena, &standing));
    EM_TRY(versions_of(l, place, &v, &is));
    if (!is) {
        em_slice seen = em_slice_sub(l->text, place->span.start, place->span.end);
        l->sound =
            l->sound && !standing.fix_moves && !is_doubled(seen, l->laid.text, place->insert);
        return EM_OK;
    }
    v.standing = standing;
    v.between = compare(v.laid, v.given);
    v.doubles = is_doubled(v.seen, v.laid, v.given);
    if (v.between.in_words && !v.doubles && is_written_so(&l->laid, insert))
        EM_TRY(indent_as_given(&l->laid, insert, l->arena, &v));
    EM_TRY(is_as_the_file(&v, l->arena, &is));
    if (!is && l->sound)
        EM_TRY(has_own_steps(&v, em_laying_habit(l), l->arena, &is));
    EM_TRY(moves_mended(&v, l->arena, &moves));
    if (is && !v.between.in_words)
        EM_TRY(end_lines_as_laid(v.laid, !v.standing.find && !v.doubles, l->arena, &v.given));
    if (is)
        l->laid.text = em_slice_from(v.given, v.before);
    *as_given = is;
    l->sound = is || (l->sound && !v.doubles && !moves);
    return EM_OK;
}

/* An edit of indentation alone, which has rules of its own (reindent.h). */
static em_status prefer_moved(em_laying *l, em_tokened insert, bool *as_given)
{
    em_reindent reindent;
    versions v;
    EM_TRY(em_reindent_of(l->text, &l->place, insert.tokens, l->arena, &reindent));
    if (reindent != EM_REINDENT_GIVEN)
        return EM_OK;
    EM_TRY(versions_of(l, &l->place, &v, as_given));
    if (*as_given) {
        v.between = compare(v.laid, v.given);
        if (v.between.in_words && is_written_so(&l->laid, insert))
            EM_TRY(indent_as_given(&l->laid, insert, l->arena, &v));
        *as_given = !v.between.in_words;
    }
    if (*as_given) {
        EM_TRY(end_lines_as_laid(v.laid, true, l->arena, &v.given));
        l->laid.text = em_slice_from(v.given, v.before);
    }
    l->sound = *as_given;
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

/* The replacement with this indentation of its first line, which has none. */
static em_status fill_first(em_tokened insert, em_slice indent, em_fold fold, em_arena *arena,
                            em_tokened *full)
{
    size_t at = insert.tokens.items[0].start;
    em_slice lead;
    EM_TRY(em_arena_join(arena, em_slice_sub(insert.text, 0, at), indent, &lead));
    EM_TRY(em_arena_join(arena, lead, em_slice_from(insert.text, at), &full->text));
    return em_tokens_of(full->text, fold, arena, &full->tokens);
}

/* A replacement may have come without the indentation of its first line alone. Where the other
 * lines tell that it stands as the file does, and the search text does not, that line, if it is the
 * search text's first one, has the indentation of the file's, unless it may be another one. Else it
 * is not clear how deep it belongs, where the search text has come with its own. */
em_status em_prefer_given(em_laying *l, bool *as_given)
{
    const em_tolerant_place *place = &l->place;
    em_tokened insert = {place->insert, l->laid.insert}, full = insert;
    em_standing others;
    em_tolerant_place filled = *place;
    em_bare_first bare;
    em_slice indent;
    *as_given = false;
    if (em_laying_repeats_find(l))
        return prefer_moved(l, insert, as_given);
    if (is_within_line(l->text, place))
        return EM_OK;
    EM_TRY(em_bare_first_of(l->text, place, insert, l->arena, &bare));
    if (!bare.is)
        return prefer(l, place, insert, false, as_given);
    bool opens = opens_by_first_line(insert);
    EM_TRY(fill_first(insert, bare.seen, place->fold, l->arena, &full));
    EM_TRY(em_standing_of(l->text, place, opens ? &insert : &full, NULL, true, l->arena, &others));
    bool is_either = bare.is_either && others.known && others.insert;
    bool is_cut = em_line_indent(em_place_find(place), 0, &indent) && indent.len == 0;
    bool is_own = bare.own == 0 || (bare.own == EM_NPOS && is_cut && !opens && others.insert);
    bool fills = is_own && !is_either && others.known && !others.find;
    if (fills)
        filled.insert = full.text;
    EM_TRY(prefer(l, &filled, fills ? full : insert, fills, as_given));
    bool known = is_cut || (fills && others.insert) || bare.is_meant;
    l->sound = l->sound && known && !is_either && (fills || !*as_given);
    return EM_OK;
}
