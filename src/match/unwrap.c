/* unwrap.c: one function for each wrapping, and the readings that come of all of them. Escapes are
 * in unwrap_escapes.c. */
#include "match/unwrap_impl.h"

#include "base/ascii.h"
#include "base/line.h"
#include "base/utf8.h"
#include "match/wrapping.h"
#include "text/entity.h"
#include "text/text.h"

em_status em_unwrapped(em_strbuf *buf, em_arena *arena, em_slice *out)
{
    em_status status = em_strbuf_keep(buf, arena, out);
    em_strbuf_drop(buf);
    return status;
}

/* ---- Code fences ---------------------------------------------------------------------------- */

/* Do both texts open a fence, and in other words? Then the language of a block may be what changes:
 * the fence is the file's. */
static bool changes_fence(em_slice find, em_slice insert)
{
    size_t behind = 0, behind_new = 0;
    find = em_trimmed(find);
    insert = em_trimmed(insert);
    return !em_slice_eq(em_trimmed(em_next_line(find, &behind)),
                        em_trimmed(em_next_line(insert, &behind_new)));
}

/* A line ending before the last fence is the fence's. But where the replacement came without a
 * fence and ends in one itself, the last line's of the search text is that one's counterpart; and
 * lines that no line takes the place of go with their endings. */
static em_status unfence(em_slice find, em_slice insert, em_arena *arena, em_reading *reading,
                         bool *done)
{
    (void)arena;
    reading->miss = EM_MISS_FENCE;
    *done = em_fenced(find, &reading->find);
    if (!*done)
        return EM_OK;
    bool both = em_fenced(insert, &reading->insert);
    if (both && changes_fence(find, insert)) {
        *done = false;
        return EM_OK;
    }
    if (!both) {
        reading->insert = insert;
        *done = !em_begins_fence(em_trimmed(insert));
    }
    bool ended = !both && insert.len > 0 && insert.ptr[insert.len - 1] == '\n';
    if (reading->insert.len == 0 || ended)
        return EM_OK;
    reading->find = em_without_last_eol(reading->find);
    reading->insert = both ? em_without_last_eol(reading->insert) : insert;
    return EM_OK;
}

/* ---- Markers of answers ---------------------------------------------------------------------- */

/* What an answer showed, with the markers around it. Only whole lines are taken for that: within a
 * line such signs may be a text's own. */
static em_status unmark(em_slice find, em_slice insert, em_arena *arena, em_reading *reading,
                        bool *done)
{
    (void)arena;
    reading->miss = EM_MISS_MARKERS;
    reading->whole_lines = true;
    *done = em_marked(find, &reading->find);
    if (*done && !em_marked(insert, &reading->insert))
        reading->insert = insert;
    return EM_OK;
}

/* ---- Line numbers ---------------------------------------------------------------------------- */

/* What is known of the numbers before the lines of a search text. */
typedef struct numbers {
    em_numbering numbering;
    em_carries carries; /* of the replacement; EM_CARRIES_UNCLEAR: they cannot be taken off */
    em_slice tight;     /* the search text without them, but with the space behind each, */
    em_slice loose;     /* and without that */
    bool is_tight;      /* the space behind each of them is indentation, no part of the wrapping */
    bool is_open;       /* whether it is, the file has to tell */
    bool lacks_space;   /* the replacement's numbers have none, though the search text's do */
    bool tight_must_fit, loose_must_fit;
} numbers;

/* The lines of a comment stand below each other: where some came without a number, they tell,
 * whatever the file has. */
static void ask_comment(em_slice insert, const em_numbering *carried, numbers *n)
{
    bool tight = em_comment_depths_shared(insert, n->tight, carried);
    bool loose = em_comment_depths_shared(insert, n->loose, carried);
    n->is_tight = tight && !loose;
    n->is_open = tight == loose;
}

/* The file has to tell, and may not. Then it is the reading that has lines as deep as those that
 * came without a number, if only one of them has. */
static void ask_depths(em_slice insert, const em_numbering *carried, numbers *n)
{
    ask_comment(insert, carried, n);
    if (!n->is_open)
        return;
    bool tight = em_depths_shared(insert, n->tight, carried);
    bool loose = em_depths_shared(insert, n->loose, carried);
    n->tight_must_fit = loose || !tight;
    n->loose_must_fit = tight || !loose;
}

/* Where every line has a space behind its number, that is part of the wrapping or of the
 * indentation. A replacement without numbers knows if it repeats more lines of the search text with
 * the space in their indentation, or more without. */
static void ask_repeated(em_slice insert, numbers *n)
{
    size_t with = em_lines_shared(n->tight, insert), without = em_lines_shared(n->loose, insert);
    n->is_tight = with > without;
    n->is_open = with == without;
    if (n->is_open)
        ask_depths(insert, NULL, n);
}

/* One that carries them has lost as much as the search text: the space is part of the wrapping
 * then, unless the file's lines are as deep with it; but where it has lines that came without, they
 * are asked. And where one line has no space, it is no part of the wrapping of the others. */
static void ask_carried(em_slice insert, numbers *n)
{
    em_carried carried = em_carried_numbers(insert, &n->numbering);
    n->is_tight = carried.tight;
    n->is_open = !carried.tight;
    if (n->is_open && carried.mixed)
        ask_depths(insert, &n->numbering, n);
    else
        n->tight_must_fit = n->is_open;
}

/* Does the replacement have lines of the search text if the space behind its numbers is
 * indentation, and that behind the search text's is not, and none else? Nobody means to move lines
 * by one blank.
 */
static em_status compare_spaces(em_slice insert, em_arena *arena, numbers *n)
{
    em_slice loose, tight;
    em_numbering own = n->numbering;
    EM_TRY(em_without_numbers(insert, &own, arena, &loose));
    own.spaced = false;
    EM_TRY(em_without_numbers(insert, &own, arena, &tight));
    n->lacks_space = em_lines_shared(n->loose, tight) > 0 &&
                     em_lines_shared(n->loose, loose) == 0 && !em_slice_eq(tight, n->loose);
    return EM_OK;
}

static em_status read_numbers(em_slice find, em_slice insert, em_arena *arena, numbers *n)
{
    *n = (numbers){.carries = EM_CARRIES_UNCLEAR};
    if (!em_numbering_of(find, &n->numbering) && !em_numbering_behind_first(find, &n->numbering))
        return EM_OK;
    em_numbering tight = n->numbering;
    tight.spaced = false;
    EM_TRY(em_without_numbers(find, &n->numbering, arena, &n->loose));
    EM_TRY(em_without_numbers(find, &tight, arena, &n->tight));
    n->carries = em_carries_numbers(insert, find, n->loose, &n->numbering);
    if (n->numbering.spaced && n->carries == EM_CARRIES_NOTHING)
        ask_repeated(insert, n);
    else if (n->numbering.spaced)
        ask_carried(insert, n);
    return n->numbering.spaced && n->carries == EM_CARRIES_NUMBERS
               ? compare_spaces(insert, arena, n)
               : EM_OK;
}

static em_status take_numbers_off(em_slice insert, const numbers *n, bool tightly, em_arena *arena,
                                  em_reading *reading)
{
    em_numbering numbering = n->numbering;
    numbering.spaced &= !tightly;
    reading->miss = EM_MISS_LINE_NUMBERS;
    reading->whole_lines = true;
    reading->headless = numbering.headless;
    reading->numbering = n->numbering;
    reading->is_open = n->is_open;
    reading->must_fit = tightly ? n->tight_must_fit : n->loose_must_fit;
    reading->find = tightly ? n->tight : n->loose;
    reading->insert = insert;
    numbering.spaced &= !n->lacks_space;
    return n->carries == EM_CARRIES_NUMBERS
               ? em_without_numbers(insert, &numbering, arena, &reading->insert)
               : EM_OK;
}

static em_status unnumber(em_slice find, em_slice insert, em_arena *arena, em_reading *reading,
                          bool *done)
{
    numbers n;
    EM_TRY(read_numbers(find, insert, arena, &n));
    *done = n.carries != EM_CARRIES_UNCLEAR;
    return *done ? take_numbers_off(insert, &n, n.is_tight, arena, reading) : EM_OK;
}

/* The other reading of the space. */
static em_status unnumber_tightly(em_slice find, em_slice insert, em_arena *arena,
                                  em_reading *reading, bool *done)
{
    numbers n;
    EM_TRY(read_numbers(find, insert, arena, &n));
    *done = n.carries != EM_CARRIES_UNCLEAR && n.is_open;
    return *done ? take_numbers_off(insert, &n, true, arena, reading) : EM_OK;
}

/* ---- Entities -------------------------------------------------------------------------------- */

typedef struct named_entity {
    const char *name;
    uint32_t code;
} named_entity;

static const named_entity entities[] = {
    {"&lt;", '<'},   {"&gt;", '>'},    {"&amp;", '&'},
    {"&quot;", '"'}, {"&apos;", '\''}, {"&nbsp;", 0x00A0},
};

static size_t entity_at(em_slice s, uint32_t *code)
{
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++) {
        em_slice name = em_slice_of(entities[i].name);
        if (em_slice_starts(s, name)) {
            *code = entities[i].code;
            return name.len;
        }
    }
    return em_numeric_entity(s, code);
}

static em_status without_entities(em_slice s, em_arena *arena, em_slice *out, bool *any)
{
    em_strbuf text = {0};
    *any = false;
    for (size_t at = 0; at < s.len;) {
        uint32_t code;
        char bytes[4];
        size_t length = s.ptr[at] == '&' ? entity_at(em_slice_from(s, at), &code) : 0;
        size_t size = length > 0 && code != 0 ? em_utf8_put(code, bytes) : 0;
        *any |= size > 0;
        em_strbuf_add(&text, size > 0 ? em_slice_make(bytes, size) : em_slice_sub(s, at, at + 1));
        at += size > 0 ? length : 1;
    }
    return em_unwrapped(&text, arena, out);
}

static em_status decode(em_slice find, em_slice insert, em_arena *arena, em_reading *reading,
                        bool *done)
{
    bool unused;
    reading->miss = EM_MISS_ENTITIES;
    *done = em_slice_has_byte(find, '&');
    if (!*done)
        return EM_OK;
    EM_TRY(without_entities(find, arena, &reading->find, done));
    return *done ? without_entities(insert, arena, &reading->insert, &unused) : EM_OK;
}

/* ---- All of them ----------------------------------------------------------------------------- */

typedef enum unwrap_group { FENCES, NUMBERS, ENTITIES, ESCAPES } unwrap_group;

/* From the outside to the inside. Of one group only one is taken off a text. */
static const struct {
    em_unwrap *unwrap;
    unwrap_group group;
} unwraps[] = {{em_unescape_around, ESCAPES},
               {unmark, FENCES},
               {unfence, FENCES},
               {unnumber, NUMBERS},
               {unnumber_tightly, NUMBERS},
               {decode, ENTITIES},
               {em_unescape_quotes, ESCAPES},
               {em_unescape_all, ESCAPES},
               {em_unescape_json, ESCAPES},
               {em_unescape_quotes_beside_breaks, ESCAPES}};

enum { UNWRAPS = sizeof unwraps / sizeof *unwraps };

static bool is_known(const em_readings *readings, const em_reading *reading)
{
    for (size_t i = 0; i < readings->count; i++)
        if (em_slice_eq(readings->items[i].find, reading->find) &&
            em_slice_eq(readings->items[i].insert, reading->insert))
            return true;
    return false;
}

/* The readings that one more wrapping, behind `from`, makes of a reading. */
static em_status add_readings(em_reading outer, size_t from, em_arena *arena, em_readings *out,
                              size_t *origins)
{
    for (size_t i = from; i < UNWRAPS && out->count < EM_MOST_READINGS; i++) {
        unwrap_group group = unwraps[i].group;
        em_reading reading = {.whole_lines = outer.whole_lines,
                              .headless = outer.headless,
                              .is_open = outer.is_open,
                              .must_fit = outer.must_fit,
                              .numbering = outer.numbering,
                              .is_unescaped = outer.is_unescaped || group == ESCAPES};
        bool done;
        if ((from > 0 && group == unwraps[from - 1].group) ||
            (outer.is_unescaped && group == ESCAPES))
            continue;
        EM_TRY(unwraps[i].unwrap(outer.find, outer.insert, arena, &reading, &done));
        if (!done || is_known(out, &reading))
            continue;
        origins[out->count] = i + 1;
        out->items[out->count++] = reading;
    }
    return EM_OK;
}

em_status em_readings_of(em_slice find, em_slice insert, em_arena *arena, em_readings *readings)
{
    size_t origins[EM_MOST_READINGS]; /* the wrappings that a reading may still lose begin here */
    readings->count = 0;
    em_reading given = {.find = find, .insert = insert};
    EM_TRY(add_readings(given, 0, arena, readings, origins));
    for (size_t i = 0; i < readings->count; i++)
        EM_TRY(add_readings(readings->items[i], origins[i], arena, readings, origins));
    return EM_OK;
}
