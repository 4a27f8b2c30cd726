#include "html/value_code.h"

#include "base/sorted.h"
#include "html/code.h"
#include "html/control.h"
#include "html/directive.h"
#include "html/tag.h"

/* What may be code. */
typedef struct em_candidate {
    em_range range;
    bool directive;  /* it is one only where it belongs to some other, */
    size_t call_end; /* and else a call, which ends there; 0: it is none */
} em_candidate;

typedef struct em_value_reader {
    em_code_reader code;
    size_t bracketed; /* up to there the value is in square brackets of one word */
    em_candidate *items;
    size_t count, room;
} em_value_reader;

/* Behind the square bracket that opens at `at`, if it is closed in the same word; `at`. */
static size_t brackets_end(em_slice value, size_t at)
{
    enum { MOST = 512 };
    size_t depth = 0;
    for (size_t i = at; i < value.len && i - at < MOST && !em_html_space(value.ptr[i]); i++) {
        depth += value.ptr[i] == '[';
        if (value.ptr[i] == ']' && --depth == 0)
            return i + 1;
    }
    return at;
}

/* Braces with nothing between them are none of a template. */
static size_t braces_end(em_value_reader *r, size_t at)
{
    size_t end = em_code_pair_closed(&r->code, at);
    if (end == EM_NPOS)
        return at;
    em_slice inside = em_slice_sub(r->code.bytes, at + 1, end - 1);
    return em_slice_trim(inside, em_html_space).len > 0 ? end : at;
}

static size_t call_end(em_value_reader *r, size_t at)
{
    bool follows_word = at > 0 && em_is_word_byte(r->code.bytes.ptr[at - 1]);
    size_t end = follows_word ? at : em_code_read_call(&r->code, at);
    return end == EM_NPOS ? at : end;
}

/* The directive that may begin at `at`, or a call. The blocks of Razor have braces around what they
 * hold, which then is code itself. */
static em_candidate read_directive(em_value_reader *r, size_t at)
{
    em_directive read;
    size_t end = em_directive_read(&r->code, at, &read);
    bool is = end > at && read.kind != EM_DIRECTIVE_RAZOR;
    size_t call = r->code.bytes.ptr[at] == '<' ? at : call_end(r, at);
    if (!is)
        return (em_candidate){{at, call > at ? call : end}, false, 0};
    return (em_candidate){
        {at, end}, true, call > end || (call == end && !read.compares) ? call : 0};
}

/* What may be code that begins at `at`; empty where nothing does. */
static em_candidate candidate_at(em_value_reader *r, size_t at)
{
    char byte = r->code.bytes.ptr[at];
    size_t end = byte == '<' || byte == '{' ? em_code_read(&r->code, at) : at;
    if (end == at && at >= r->bracketed && byte != '{')
        return read_directive(r, at);
    if (end == at && at >= r->bracketed)
        end = braces_end(r, at);
    return (em_candidate){{at, end}, false, 0};
}

static em_status add(em_value_reader *r, em_candidate found, em_arena *arena)
{
    void *items = r->items;
    EM_TRY(em_arena_grow(arena, &items, r->count, &r->room, sizeof *r->items));
    r->items = items;
    r->items[r->count++] = found;
    return EM_OK;
}

static em_status find_candidates(em_value_reader *r, em_arena *arena)
{
    em_slice value = r->code.bytes;
    for (size_t at = 0, end; at<value.len; at = end> at ? end : at + 1) {
        if (value.ptr[at] == '[' && at >= r->bracketed)
            r->bracketed = brackets_end(value, at);
        end = at;
        if (!em_is_one_of(value.ptr[at], "<{@#"))
            continue;
        em_candidate found = candidate_at(r, at);
        end = found.call_end > found.range.end ? found.call_end : found.range.end;
        if (end > at)
            EM_TRY(add(r, found, arena));
    }
    return EM_OK;
}

/* A branch of directives that has no end is none. */
static void mark_branches(em_value_code *code, const em_choices *choices)
{
    code->chosen = (em_range){EM_NPOS, 0};
    for (size_t i = 0; i < choices->branch_count; i++) {
        em_range branch = choices->branches[i].range;
        if (choices->branches[i].directed && branch.end == EM_NPOS)
            continue;
        code->parting[EM_COUNT_BELOW(code->pieces, code->count, start, branch.start) - 1] = true;
        if (branch.end != EM_NPOS)
            code->parting[EM_COUNT_BELOW(code->pieces, code->count, start, branch.end)] = true;
        code->chosen.start = branch.start < code->chosen.start ? branch.start : code->chosen.start;
        code->chosen.end = branch.end > code->chosen.end ? branch.end : code->chosen.end;
    }
}

/* A directive that belongs to no other is a call, or no code. */
static void drop_directives(em_value_code *code, const em_candidate *candidates)
{
    size_t kept = 0;
    for (size_t i = 0; i < code->count; i++) {
        bool is_alone = candidates[i].directive && !code->parting[i];
        if (is_alone && candidates[i].call_end == 0)
            continue;
        code->pieces[kept] = code->pieces[i];
        if (is_alone)
            code->pieces[kept].end = candidates[i].call_end;
        code->parting[kept++] = code->parting[i];
    }
    code->count = kept;
}

em_status em_value_code_read(em_slice value, em_arena *arena, em_value_code *code)
{
    em_value_reader r = {.code = {.bytes = value}};
    em_choices choices;
    *code = (em_value_code){0};
    EM_TRY(find_candidates(&r, arena));
    if (r.count == 0)
        return EM_OK;
    code->count = r.count;
    code->pieces = em_alloc_array(arena, r.count, sizeof *code->pieces);
    code->parting = em_alloc_array(arena, r.count, sizeof *code->parting);
    if (!code->pieces || !code->parting)
        return EM_E_NOMEM;
    for (size_t i = 0; i < r.count; i++)
        code->pieces[i] = r.items[i].range;
    EM_TRY(em_control_choices(value, code->pieces, code->count, arena, &choices));
    mark_branches(code, &choices);
    drop_directives(code, r.items);
    return EM_OK;
}
