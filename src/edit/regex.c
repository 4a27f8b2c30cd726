#include "edit/regex.h"

#include "base/strbuf.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/* Steps of one match, and bytes of its backtracking. A pattern that needs more is one that
 * explodes; honest ones stay far below. */
enum { MOST_STEPS = 10 * 1000 * 1000, MOST_HEAP_KIB = 64 * 1024 };

/* Work of one match, in the units of a deadline: nobody knows how many steps it took. */
enum { MATCH_WORK = 1 << 12 };

typedef struct regex {
    pcre2_code *code;
    pcre2_match_data *data;
    pcre2_match_context *limits;
    pcre2_compile_context *compile;
    em_slice text, replacement;
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
}

static PCRE2_SPTR units(em_slice s)
{
    return (PCRE2_SPTR)(s.ptr ? s.ptr : "");
}

static em_status too_long(const regex *r)
{
    return em_fail(r->err, EM_E_TIMEOUT,
                   "the pattern takes too many steps on this file; make it more specific");
}

static em_status fail_code(const regex *r, int code, const char *what, size_t offset)
{
    char message[256];
    if (code == PCRE2_ERROR_MATCHLIMIT || code == PCRE2_ERROR_HEAPLIMIT ||
        code == PCRE2_ERROR_DEPTHLIMIT)
        return too_long(r);
    if (code == PCRE2_ERROR_NOMEMORY)
        return em_fail(r->err, EM_E_NOMEM, "out of memory");
    pcre2_get_error_message(code, (PCRE2_UCHAR *)message, sizeof message);
    return em_fail(r->err, EM_E_INVALID, "the %s is malformed at offset %zu: %s", what, offset,
                   message);
}

static em_status regex_compile(regex *r, em_encoding encoding, em_slice pattern)
{
    int code;
    PCRE2_SIZE offset;
    uint32_t utf = encoding == EM_BYTES ? 0 : PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C;
    r->compile = pcre2_compile_context_create(NULL);
    r->limits = pcre2_match_context_create(NULL);
    if (!r->compile || !r->limits)
        return EM_E_NOMEM;
    pcre2_set_newline(r->compile, PCRE2_NEWLINE_ANYCRLF);
    pcre2_set_match_limit(r->limits, MOST_STEPS);
    pcre2_set_heap_limit(r->limits, MOST_HEAP_KIB);
    r->code = pcre2_compile(units(pattern), pattern.len, utf | PCRE2_MULTILINE, &code, &offset,
                            r->compile);
    if (!r->code)
        return fail_code(r, code, "pattern", offset);
    r->data = pcre2_match_data_create_from_pattern(r->code, NULL);
    return r->data ? EM_OK : EM_E_NOMEM;
}

/* What the template becomes for the match that r->data holds. One match is replaced, so success is
 * 1; a larger number is not, but a code of the compiler's, which PCRE2 passes on as it is when it
 * looks for the end of a "${n:+...}" and meets an escape that is none. */
static em_status expand(const regex *r, size_t from, em_slice *insert)
{
    const uint32_t how = PCRE2_SUBSTITUTE_MATCHED | PCRE2_SUBSTITUTE_REPLACEMENT_ONLY |
                         PCRE2_SUBSTITUTE_EXTENDED | PCRE2_SUBSTITUTE_OVERFLOW_LENGTH |
                         PCRE2_NO_UTF_CHECK;
    char *out = NULL;
    PCRE2_SIZE length = 0;
    for (int attempt = 0; attempt < 2; attempt++) {
        PCRE2_SIZE room = length;
        int code =
            pcre2_substitute(r->code, units(r->text), r->text.len, from, how, r->data, r->limits,
                             units(r->replacement), r->replacement.len, (PCRE2_UCHAR *)out, &room);
        length = room;
        if (code == 1) {
            *insert = em_slice_make(out, length);
            return EM_OK;
        }
        if (code != PCRE2_ERROR_NOMEMORY || attempt > 0)
            return fail_code(r, code, "replacement", room);
        out = em_alloc_raw(r->arena, length);
        if (!out)
            return EM_E_NOMEM;
    }
    return EM_E_INTERNAL;
}

static em_status regex_add(regex *r, size_t from)
{
    const PCRE2_SIZE *ends = pcre2_get_ovector_pointer(r->data);
    size_t room = r->room;
    void *items = r->found.spans.items, *inserts = r->found.inserts;
    EM_TRY(em_arena_grow(r->arena, &items, r->found.spans.count, &room, sizeof(em_span)));
    EM_TRY(em_arena_grow(r->arena, &inserts, r->found.spans.count, &r->room, sizeof(em_slice)));
    r->found.spans.items = items;
    r->found.inserts = inserts;
    r->found.spans.items[r->found.spans.count] = (em_span){ends[0], ends[1]};
    return expand(r, from, &r->found.inserts[r->found.spans.count++]);
}

/* Where to look on behind an empty match: past one whole code point. */
static size_t next_start(const regex *r, size_t at)
{
    at++;
    while (at < r->text.len && ((unsigned char)r->text.ptr[at] & 0xC0) == 0x80)
        at++;
    return at;
}

static em_status regex_scan(regex *r)
{
    size_t from = 0;
    while (from <= r->text.len) {
        int code = pcre2_match(r->code, units(r->text), r->text.len, from, PCRE2_NO_UTF_CHECK,
                               r->data, r->limits);
        if (code == PCRE2_ERROR_NOMATCH)
            break;
        if (code < 0)
            return fail_code(r, code, "pattern", from);
        const PCRE2_SIZE *ends = pcre2_get_ovector_pointer(r->data);
        size_t start = ends[0], end = ends[1];
        if (start > end) /* \K in a lookahead */
            return em_fail(r->err, EM_E_INVALID, "the pattern's match ends before it begins");
        if (em_deadline_spend(r->deadline, MATCH_WORK))
            return too_long(r);
        EM_TRY(regex_add(r, from));
        from = end > start ? end : next_start(r, end);
    }
    return EM_OK;
}

em_status em_regex_locate(const em_draft *draft, em_encoding encoding, em_slice pattern,
                          em_slice replacement, em_deadline *deadline, em_arena *arena,
                          em_regex_matches *found, em_error *err)
{
    EM_AUTO(regex)
    r = {.replacement = replacement, .deadline = deadline, .arena = arena, .err = err};
    *found = (em_regex_matches){0};
    EM_TRY(em_draft_text(draft, arena, &r.text));
    EM_TRY(regex_compile(&r, encoding, pattern));
    EM_TRY(regex_scan(&r));
    *found = r.found;
    return EM_OK;
}
