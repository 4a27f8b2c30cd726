/* regex.c: PCRE2 over a text or its LF view, and what a template becomes. */
#include "edit/regex.h"

#include "base/ascii.h"
#include "base/pages.h"
#include "base/utf8.h"
#include "edit/lf_view.h"
#include "edit/pattern_cr.h"
#include "edit/template.h"
#include "text/lines.h"

/* Steps of one match, and bytes of its backtracking. A pattern that needs more is one that
 * explodes; honest ones stay far below. */
enum { MOST_STEPS = 10 * 1000 * 1000, MOST_HEAP_KIB = 64 * 1024 };

/* Work in the units of a deadline, of which nobody knows how many steps it took: a match, and one
 * place at which the pattern is tried, which may look through all that stands behind it. */
enum { MATCH_WORK = 1 << 12, TRY_WORK = 1 << 12, TRY_REACH = 64 };

/* Calls us at each place where PCRE2 tries the pattern, which makes no other difference. */
static const em_slice WATCH = {"(?C255)", 7};

typedef struct regex {
    pcre2_code *code;
    pcre2_match_data *data;
    pcre2_match_context *limits;
    pcre2_compile_context *compile;
    const em_draft *draft;
    size_t base;      /* where in the draft the text begins; all offsets here are of the text */
    em_slice text;    /* of the draft: all that a match in the part may look at */
    em_slice subject; /* what is matched: it, or a view of it, up to the end of the part */
    em_lf_view view;  /* without an `eol` where the text is matched as it is */
    size_t from;      /* where in the subject the part begins */
    uint32_t options; /* of each match */
    bool is_utf;
    bool to_end;       /* the part ends where the text does */
    bool names_cr;     /* the pattern does: it may match inside of a CRLF */
    em_arena own_room; /* for what is gone when the places are known */
    em_slice replacement;
    em_deadline *deadline;
    em_arena *arena;
    em_error *err;
    em_regex_matches found;
    size_t room;
} regex;

static void regex_drop(regex *r)
{
    pcre2_match_data_free(r->data);
    pcre2_code_free(r->code);
    pcre2_match_context_free(r->limits);
    pcre2_compile_context_free(r->compile);
    em_arena_drop(&r->own_room);
}

static PCRE2_SPTR units(em_slice s)
{
    return (PCRE2_SPTR)(s.ptr ? s.ptr : "");
}

static em_status too_late(const regex *r)
{
    return em_fail(r->err, EM_E_TIMEOUT,
                   "the deadline of the call passed while the pattern was looked for");
}

/* Of the pattern, at `offset` of it, or of matching it. */
static em_status fail_code(const regex *r, int code, size_t offset)
{
    char message[256];
    if (code == PCRE2_ERROR_MATCHLIMIT || code == PCRE2_ERROR_HEAPLIMIT ||
        code == PCRE2_ERROR_DEPTHLIMIT)
        return em_fail(r->err, EM_E_TIMEOUT,
                       "the pattern takes too many steps at one place of this file");
    if (code == PCRE2_ERROR_CALLOUT)
        return too_late(r);
    if (code == PCRE2_ERROR_NOMEMORY)
        return em_fail(r->err, EM_E_NOMEM, "out of memory");
    pcre2_get_error_message(code, (PCRE2_UCHAR *)message, sizeof message);
    if (code < 0) /* those of the compiler are positive */
        return em_fail_cause(r->err, EM_E_INVALID, EM_CAUSE_PATTERN,
                             "the pattern failed while it was matched: %s", message);
    return em_fail_cause(r->err, EM_E_INVALID, EM_CAUSE_PATTERN,
                         "the pattern is malformed at offset %zu: %s", offset, message);
}

/* What the pattern itself says about line endings. */
static bool speaks_of_cr(const regex *r, em_slice pattern)
{
    uint32_t newline = 0;
    pcre2_pattern_info(r->code, PCRE2_INFO_NEWLINE, &newline);
    return newline == PCRE2_NEWLINE_CR || newline == PCRE2_NEWLINE_CRLF ||
           em_pattern_names_cr(pattern);
}

static bool is_of_setting(char byte)
{
    return em_is_upper(byte) || em_is_digit(byte) || byte == '_' || byte == '=';
}

/* What must stand first in a pattern: (*UTF), (*LIMIT_MATCH=9), (*CRLF). */
static size_t length_of_settings(em_slice pattern)
{
    size_t length = 0;
    while (em_slice_starts(em_slice_from(pattern, length), EM_LIT("(*"))) {
        size_t at = length + 2;
        while (at < pattern.len && is_of_setting(pattern.ptr[at]))
            at++;
        if (at == pattern.len || pattern.ptr[at] != ')')
            return length;
        length = at + 1;
    }
    return length;
}

static pcre2_code *compile(const regex *r, em_slice pattern, int *code, PCRE2_SIZE *offset)
{
    uint32_t utf = r->is_utf ? PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C : 0;
    return pcre2_compile(units(pattern), pattern.len, utf | PCRE2_MULTILINE, code, offset,
                         r->compile);
}

/* PCRE2 counts the steps anew at each place where it tries the pattern, and on a long run they come
 * to minutes. */
static int watch(pcre2_callout_block *at, void *context)
{
    regex *r = context;
    size_t left = at->subject_length - at->start_match;
    return em_deadline_spend(r->deadline, TRY_WORK + left / TRY_REACH) ? PCRE2_ERROR_CALLOUT : 0;
}

/* The same pattern, watched. One that cannot be, for its length, stays as it is. */
static em_status regex_watch(regex *r, em_slice pattern)
{
    int code;
    PCRE2_SIZE offset;
    size_t settings = length_of_settings(pattern), length = pattern.len + WATCH.len;
    char *bytes = em_alloc_raw(&r->own_room, length);
    if (!bytes)
        return EM_E_NOMEM;
    em_slice rest = em_slice_from(pattern, settings);
    if (settings > 0)
        memcpy(bytes, pattern.ptr, settings);
    memcpy(bytes + settings, WATCH.ptr, WATCH.len);
    if (rest.len > 0)
        memcpy(bytes + settings + WATCH.len, rest.ptr, rest.len);
    pcre2_code *watched = compile(r, em_slice_make(bytes, length), &code, &offset);
    if (!watched)
        return EM_OK;
    pcre2_code_free(r->code);
    r->code = watched;
    pcre2_set_callout(r->limits, watch, r);
    return EM_OK;
}

static em_status regex_compile(regex *r, em_slice pattern)
{
    int code;
    PCRE2_SIZE offset;
    r->compile = pcre2_compile_context_create(NULL);
    r->limits = pcre2_match_context_create(NULL);
    if (!r->compile || !r->limits)
        return EM_E_NOMEM;
    pcre2_set_newline(r->compile, PCRE2_NEWLINE_ANYCRLF);
    pcre2_set_match_limit(r->limits, MOST_STEPS);
    pcre2_set_heap_limit(r->limits, MOST_HEAP_KIB);
    r->code = compile(r, pattern, &code, &offset);
    if (!r->code)
        return fail_code(r, code, offset);
    EM_TRY(regex_watch(r, pattern));
    r->names_cr = speaks_of_cr(r, pattern);
    r->data = pcre2_match_data_create_from_pattern(r->code, NULL);
    return r->data ? EM_OK : EM_E_NOMEM;
}

/* Is `at` between a CR and its LF? */
static bool cuts_crlf(em_slice text, size_t at)
{
    return at > 0 && at < text.len && text.ptr[at - 1] == '\r' && text.ptr[at] == '\n';
}

/* May a match look at more than one character, or line ending, before the place where it begins?
 * Lookbehinds do, of any length where one stands in a group that has itself in it. "(*" begins one
 * too, or a setting, which is rare. */
static bool looks_far_back(em_slice pattern)
{
    static const char *const forms[] = {"(*", "(?<=", "(?<!", "(?<*"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (pattern.len > 0 && memmem(pattern.ptr, pattern.len, forms[i], strlen(forms[i])))
            return true;
    return false;
}

/* Where the line ends that ends at `start` of the draft, or not long before. */
static size_t before_ending(const em_draft *draft, size_t start)
{
    size_t at = start - 1;
    bool is_crlf =
        at > 0 && em_draft_byte(draft, at) == '\n' && em_draft_byte(draft, at - 1) == '\r';
    return at - is_crlf;
}

/* The text, so much of it as counts: the part, a byte behind it, and the line before it, so that
 * neither the start of the text nor of a line is where there is none. */
static em_status regex_take_text(regex *r, em_slice pattern, em_span *part)
{
    em_span taken = {0, part->end + (part->end < r->draft->length)};
    if (part->start > 0 && !looks_far_back(pattern)) {
        size_t at = before_ending(r->draft, part->start);
        taken.start = em_draft_lines_around(r->draft, (em_span){at, at}, SIZE_MAX).start;
    }
    r->base = taken.start;
    part->start -= r->base;
    part->end -= r->base;
    if (taken.start == 0 && taken.end == r->draft->length)
        return em_draft_text(r->draft, r->arena, &r->text);
    return em_draft_slice(r->draft, taken, &r->own_room, &r->text);
}

/* What is matched, and from where. A draft may have made a CRLF of two lines: it is of neither. */
static em_status regex_aim(regex *r, em_span part)
{
    part.start += cuts_crlf(r->text, part.start);
    part.end -= cuts_crlf(r->text, part.end);
    r->to_end = r->base + part.end == r->draft->length;
    r->options = PCRE2_NO_UTF_CHECK | (r->to_end ? 0 : PCRE2_NOTEOL);
    r->subject = em_slice_sub(r->text, 0, part.end);
    r->from = part.start;
    em_eol eol = r->names_cr ? EM_EOL_NONE : em_draft_common_eol(r->draft);
    if (eol == EM_EOL_NONE || part.start > part.end)
        return EM_OK;
    EM_TRY(em_lf_view_make(r->text, part.end, eol, &r->own_room, &r->view));
    r->subject = r->view.bytes;
    r->from = em_lf_view_from_text(&r->view, r->text, part.start);
    return EM_OK;
}

/* `what` the pattern would do, and `how`, with the CRLF at `at`. */
static em_status refuse_endings(regex *r, const char *what, const char *how, size_t at)
{
    em_text text = {.encoding = EM_UTF8};
    em_lines lines;
    EM_TRY(em_draft_text(r->draft, r->arena, &text.body));
    EM_TRY(em_lines_init(&text, &r->own_room, &lines));
    return em_fail(r->err, EM_E_INVALID,
                   "the pattern would %s the CRLF that ends line %zu%s; the file's line endings "
                   "are mixed: write \\r?\\n or \\R for a line ending, \\h for blanks",
                   what, em_lines_at(&lines, r->base + at), how);
}

/* Where a match stands in the text. */
static em_status place_of(regex *r, em_span match, em_span *place)
{
    *place = match;
    if (r->view.eol != EM_EOL_NONE) {
        place->start = em_lf_view_to_text(&r->view, match.start);
        place->end = em_lf_view_to_text(&r->view, match.end);
        return EM_OK;
    }
    bool cuts_start = cuts_crlf(r->text, match.start);
    if (!r->names_cr && (cuts_start || cuts_crlf(r->text, match.end)))
        return refuse_endings(r, "cut", " in two", cuts_start ? match.start : match.end);
    return EM_OK;
}

static em_status fail_template(const regex *r, int code, size_t offset)
{
    if (code == PCRE2_ERROR_NOMEMORY)
        return em_fail(r->err, EM_E_NOMEM, "out of memory");
    return em_template_fail(r->code, r->replacement, code, offset, r->err);
}

/* What the template becomes for the match that r->data holds. One match is replaced, so success is
 * 1; a larger number is not, but a code of the compiler's, which PCRE2 passes on as it is when it
 * looks for the end of a "${n:+...}" and meets an escape that is none. */
static em_status expand(const regex *r, size_t from, em_slice *insert)
{
    const uint32_t how = PCRE2_SUBSTITUTE_MATCHED | PCRE2_SUBSTITUTE_REPLACEMENT_ONLY |
                         PCRE2_SUBSTITUTE_EXTENDED | PCRE2_SUBSTITUTE_UNSET_EMPTY |
                         PCRE2_SUBSTITUTE_OVERFLOW_LENGTH | r->options;
    char *out = NULL;
    PCRE2_SIZE length = 0;
    for (int attempt = 0; attempt < 2; attempt++) {
        PCRE2_SIZE room = length;
        int code = pcre2_substitute(r->code, units(r->subject), r->subject.len, from, how, r->data,
                                    r->limits, units(r->replacement), r->replacement.len,
                                    (PCRE2_UCHAR *)out, &room);
        length = room;
        if (code == 1) {
            *insert = em_slice_make(out, length);
            return EM_OK;
        }
        if (code != PCRE2_ERROR_NOMEMORY || attempt > 0)
            return fail_template(r, code, room);
        out = em_alloc_raw(r->arena, length);
        if (!out)
            return EM_E_NOMEM;
    }
    return EM_E_INTERNAL;
}

/* What the template should have been, where that is clear and would do. */
static em_status mend(regex *r, size_t from)
{
    regex tried = *r;
    em_slice insert;
    tried.err = NULL;
    EM_TRY(em_template_mend(r->code, r->replacement, r->arena, &tried.replacement));
    if (tried.replacement.len == 0)
        return EM_OK;
    em_status status = expand(&tried, from, &insert);
    if (status == EM_OK)
        r->found.mended = tried.replacement;
    return status == EM_E_NOMEM ? status : EM_OK;
}

/* The same as it comes into the text. */
static em_status insert_for(regex *r, size_t from, em_slice *insert)
{
    em_status status = expand(r, from, insert);
    if (status == EM_E_INVALID)
        EM_TRY(mend(r, from));
    EM_TRY(status);
    if (em_slice_has_byte(*insert, '\0'))
        return em_fail_cause(r->err, EM_E_INVALID, EM_CAUSE_NUL,
                             "the replacement holds a NUL character");
    return em_lf_view_endings(&r->view, *insert, r->arena, insert);
}

static em_status regex_add(regex *r, size_t from, em_span match)
{
    em_span place;
    em_found *places = &r->found.places;
    EM_TRY(place_of(r, match, &place));
    place.start += r->base;
    place.end += r->base;
    EM_TRY(em_found_add(places, place, r->arena));
    if (places->spans.count < places->total)
        return EM_OK;
    void *inserts = r->found.inserts;
    EM_TRY(em_arena_grow(r->arena, &inserts, places->total - 1, &r->room, sizeof(em_slice)));
    r->found.inserts = inserts;
    return insert_for(r, from, &r->found.inserts[places->total - 1]);
}

/* Where to look on behind an empty match: past one whole character or line ending. */
static size_t next_start(const regex *r, size_t at)
{
    at++;
    if (cuts_crlf(r->subject, at))
        return at + 1;
    while (r->is_utf && em_utf8_continues(r->subject, at))
        at++;
    return at;
}

/* Where the search goes on. */
typedef struct scan {
    size_t from;
    bool behind_empty; /* an empty match ended there: what begins there is to be no such again */
} scan;

/* What pcre2_match() finds at s->from, or where nothing can be that is not empty, further on: then
 * s->from is there. */
static int match_code(const regex *r, scan *s)
{
    const uint32_t here = r->options | PCRE2_NOTEMPTY_ATSTART | PCRE2_ANCHORED;
    PCRE2_SPTR subject = units(r->subject);
    int code = PCRE2_ERROR_NOMATCH;
    if (s->behind_empty) {
        code = pcre2_match(r->code, subject, r->subject.len, s->from, here, r->data, r->limits);
        if (code != PCRE2_ERROR_NOMATCH)
            return code;
        s->from = next_start(r, s->from);
    }
    return s->from > r->subject.len ? code
                                    : pcre2_match(r->code, subject, r->subject.len, s->from,
                                                  r->options, r->data, r->limits);
}

/* The next match; *any is false behind the last. */
static em_status next_match(const regex *r, scan *s, em_span *match, bool *any)
{
    *any = false;
    int code = match_code(r, s);
    if (code == PCRE2_ERROR_NOMATCH)
        return EM_OK;
    if (code < 0)
        return fail_code(r, code, s->from);
    const PCRE2_SIZE *ends = pcre2_get_ovector_pointer(r->data);
    *match = (em_span){ends[0], ends[1]};
    if (match->start > match->end || match->start < s->from) /* \K in a lookaround */
        return em_fail(r->err, EM_E_INVALID,
                       "the pattern's match ends before it begins, or begins in the one before");
    if (em_deadline_spend(r->deadline, MATCH_WORK))
        return too_late(r);
    *any = match->start < r->subject.len || r->to_end; /* else it is the next line's */
    return EM_OK;
}

static scan behind(em_span match)
{
    return (scan){.from = match.end, .behind_empty = match.end == match.start};
}

static em_status regex_scan(regex *r)
{
    scan s = {.from = r->from};
    em_span match;
    bool any;
    for (;;) {
        EM_TRY(next_match(r, &s, &match, &any));
        if (!any)
            return EM_OK;
        EM_TRY(regex_add(r, s.from, match));
        s = behind(match);
    }
}

/* ---- Endings of several kinds -------------------------------------------------------------- */

/* The CRs that `s`, which begins with one, begins with. */
static size_t count_crs(em_slice s)
{
    size_t count = 1;
    while (count < s.len && s.ptr[count] == '\r')
        count++;
    return count;
}

/* `text` with an LF for each CRLF, and for the CRs before one, with which it would be one again. */
static em_status lay_out_as_lfs(em_slice text, em_arena *arena, em_slice *out)
{
    char *bytes = em_alloc_large(arena, text.len);
    const char *cr;
    size_t length = 0;
    if (!bytes)
        return EM_E_NOMEM;
    while (text.len > 0 && (cr = memchr(text.ptr, '\r', text.len))) {
        size_t line = (size_t)(cr - text.ptr);
        size_t crs = count_crs(em_slice_from(text, line));
        bool is_crlf = line + crs < text.len && cr[crs] == '\n';
        memcpy(bytes + length, text.ptr, line);
        memset(bytes + length + line, is_crlf ? '\n' : '\r', crs);
        length += line + crs;
        text = em_slice_from(text, line + crs + is_crlf);
    }
    if (text.len > 0)
        memcpy(bytes + length, text.ptr, text.len);
    *out = em_slice_make(bytes, length + text.len);
    return EM_OK;
}

/* Offsets of a text and where they are when each CRLF of it is one byte; asked for in ascending
 * order. */
typedef struct shrinking {
    em_slice text;
    size_t seen, now;
} shrinking;

static size_t shrunk(shrinking *s, size_t offset)
{
    em_slice passed = em_slice_sub(s->text, s->seen, offset);
    const char *crlf;
    s->now += passed.len;
    while (passed.len > 0 && (crlf = memmem(passed.ptr, passed.len, "\r\n", 2))) {
        s->now--;
        passed = em_slice_from(passed, (size_t)(crlf - passed.ptr) + 2);
    }
    s->seen = offset;
    return s->now;
}

/* The CRLF for which the match at `now` of the shrunken text is none of the text, or the one at
 * `start` of the text none there: the first behind them. */
static size_t crlf_at_odds(shrinking s, size_t start, size_t now)
{
    const char *crlf = s.text.ptr + s.seen;
    size_t left = s.text.len - s.seen;
    while ((crlf = memmem(crlf, left, "\r\n", 2))) {
        size_t at = (size_t)(crlf - s.text.ptr);
        if (at >= start || shrunk(&s, at) >= now)
            return at;
        crlf += 2;
        left = s.text.len - at - 2;
    }
    return s.seen;
}

/* The next of the places that were found, which is number `i`: as it is kept, or else found once
 * more. */
static em_status next_found(const regex *r, scan *s, size_t i, em_span *place, bool *any)
{
    const em_found *places = &r->found.places;
    *any = i < places->spans.count;
    if (*any)
        *place =
            (em_span){places->spans.items[i].start - r->base, places->spans.items[i].end - r->base};
    else if (i < places->total)
        EM_TRY(next_match(r, s, place, any));
    if (*any)
        *s = behind(*place);
    return EM_OK;
}

/* The places that were found must be those where the pattern would match if all lines ended in LF:
 * it may have passed over lines for their CR ("b\n"), or have taken a CRLF for two characters. */
static em_status check_as_lfs(regex *r)
{
    shrinking s = {.text = r->subject};
    regex lfs = *r;
    if (r->names_cr || r->view.eol != EM_EOL_NONE || r->subject.len == 0 ||
        !em_slice_has_byte(r->subject, '\r') || /* far quicker than to look for both */
        !memmem(r->subject.ptr, r->subject.len, "\r\n", 2))
        return EM_OK;
    EM_TRY(lay_out_as_lfs(r->subject, &r->own_room, &lfs.subject));
    scan as_is = {.from = r->from}, as_lfs = {.from = shrunk(&s, r->from)};
    for (size_t i = 0;; i++) {
        shrinking before = s;
        em_span place, match;
        bool known, any;
        EM_TRY(next_found(r, &as_is, i, &place, &known));
        EM_TRY(next_match(&lfs, &as_lfs, &match, &any));
        if (!any && !known)
            return EM_OK;
        if (!any || !known || match.start != shrunk(&s, place.start) ||
            match.end != shrunk(&s, place.end))
            return refuse_endings(
                r, "pass over, or take for two characters,", "",
                crlf_at_odds(before, known ? place.start : EM_NPOS, any ? match.start : EM_NPOS));
        as_lfs = behind(match);
    }
}

em_status em_regex_locate(const em_regex_search *search, em_arena *arena, em_regex_matches *found,
                          em_error *err)
{
    EM_AUTO(regex)
    r = {.draft = search->draft,
         .is_utf = search->encoding != EM_BYTES,
         .replacement = search->replacement,
         .found.places.most = search->most,
         .deadline = search->deadline,
         .arena = arena,
         .err = err};
    *found = (em_regex_matches){0};
    em_span part = search->part;
    EM_TRY(regex_take_text(&r, search->pattern, &part));
    EM_TRY(regex_compile(&r, search->pattern));
    EM_TRY(regex_aim(&r, part));
    em_status status = regex_scan(&r);
    if (status == EM_OK)
        status = check_as_lfs(&r);
    *found = status == EM_OK ? r.found : (em_regex_matches){.mended = r.found.mended};
    return status;
}
