#include "json/json_halves.h"

#include "base/beside.h"

#include <sched.h>

/* To read so many takes half a millisecond. */
enum { LONG = 1 << 18 };

/* So far behind the middle it is looked for where an object ends and another one begins. */
enum { WINDOW = 1 << 16 };

static size_t long_from = LONG;
static bool other_is_waited_for;

void em_json_suppose_long(size_t bytes, bool waits)
{
    long_from = bytes;
    other_is_waited_for = waits;
}

/* What is read by the other thread: the elements of a list from `from` on, to the end of that. */
typedef struct later_half {
    em_json_reader reader; /* its value is a list of these alone */
    size_t from;
    bool is_whole; /* the end of the list came */
    atomic_bool has_begun, is_called_off;
} later_half;

/* ---- The other thread ------------------------------------------------------------------------ */

static void read_later(void *context)
{
    later_half *later = context;
    em_json_reader *r = &later->reader;
    if (later->is_called_off)
        return;
    later->has_begun = true;
    em_json_region_open();
    later->is_whole = em_json_reader_feed(r, EM_LIT("["), later->from) &&
                      em_json_reader_feed(r, em_slice_from(r->text, later->from), later->from) &&
                      r->root && r->depth == 0;
    em_json_region_close();
}

/* ---- Where one half ends and the other begins ------------------------------------------------ */

/* Behind the blanks, a comma and blanks at `at`; `at` where there is no comma. */
static size_t behind_comma(em_slice text, size_t at)
{
    size_t comma = at + em_json_blanks(em_slice_from(text, at));
    if (comma == text.len || text.ptr[comma] != ',')
        return at;
    return comma + 1 + em_json_blanks(em_slice_from(text, comma + 1));
}

/* Where an object seems to follow another one; 0: nowhere near the middle. */
static size_t find_border(em_slice text)
{
    size_t from = text.len / 2, most = em_least(text.len, from + WINDOW);
    em_slice near = em_slice_sub(text, 0, most);
    while (from < most) {
        size_t end = from + em_slice_until(em_slice_from(near, from), '}');
        size_t next = end < most ? behind_comma(text, end + 1) : text.len;
        if (next < text.len && next > end + 1 && text.ptr[next] == '{')
            return next;
        from = end + 1;
    }
    return 0;
}

/* Is the next value one of a list, by what was read before `from`? */
static bool is_in_list(const em_json_reader *r, size_t from)
{
    return r->depth > 0 && json_is_array(r->open[r->depth - 1]) && r->end < from &&
           behind_comma(r->text, r->end) == from;
}

/* ---- Together -------------------------------------------------------------------------------- */

/* Would this thread have taken all of it, too? */
static bool fits(const em_json_reader *r, const later_half *later)
{
    const em_json_reader *other = &later->reader;
    return later->is_whole && r->count + other->count - 1 <= EM_JSON_VALUES_MOST &&
           r->depth - 1 + other->deepest <= EM_JSON_DEPTH_MOST;
}

/* Put the elements into the list, as if they had been read. False: nothing is done. */
static bool take_elements(em_json_reader *r, const later_half *later)
{
    const em_json_reader *other = &later->reader;
    if (json_array_extend(r->open[r->depth - 1], other->root) != 0)
        return false;
    r->count += other->count - 1;
    r->passes_null = true;
    return em_json_reader_feed(r, EM_LIT("null"), later->from);
}

static void read_on(em_json_reader *r, size_t from)
{
    em_json_reader_feed(r, em_slice_from(r->text, from), from);
}

/* Wait for the other thread, if what it reads is needed and it has come in time. */
static bool end_later(em_json_reader *r, later_half *later, em_beside *beside, bool is_needed)
{
    while (other_is_waited_for && is_needed && beside->task && !later->has_begun)
        sched_yield();
    if (!is_needed || !later->has_begun)
        later->is_called_off = true;
    em_beside_end(beside);
    return is_needed && fits(r, later);
}

static void read_both(em_json_reader *r, size_t from)
{
    later_half later = {.reader = {.text = r->text, .is_part = true}, .from = from};
    em_beside beside;
    later.reader.is_called_off = &later.is_called_off;
    em_beside_begin(&beside, read_later, &later);
    bool goes_on = em_json_reader_feed(r, em_slice_sub(r->text, 0, from), 0);
    if (end_later(r, &later, &beside, goes_on && is_in_list(r, from)) && take_elements(r, &later))
        read_on(r, later.reader.end - 1); /* the end of the list itself */
    else if (goes_on && !r->out_of_memory)
        read_on(r, from);
    em_json_reader_drop(&later.reader);
}

/* yajl does not know where a token began of which it was given the start before: what is wrong is
 * looked for in one piece. */
static bool is_wrong(const em_json_reader *r)
{
    return r->status != yajl_status_ok && !r->out_of_memory;
}

void em_json_read_in_halves(em_json_reader *reader)
{
    bool may_be = reader->text.len >= long_from && em_json_uses_regions();
    size_t from = may_be ? find_border(reader->text) : 0;
    if (from > 0)
        read_both(reader, from);
    if (is_wrong(reader))
        em_json_reader_drop(reader);
    if (!reader->parser && !reader->out_of_memory)
        read_on(reader, 0);
}
