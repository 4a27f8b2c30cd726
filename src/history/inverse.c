/* inverse.c: splices to bytes and back.
 *
 * em_inverse_encode goes from each splice to a place (place_next) and from that to bytes;
 * em_inverse_decode goes back, and takes nothing for granted of what it reads: the database may be
 * damaged.
 */
#include "history/inverse.h"

#include "base/utf8.h"
#include "system/hash.h"
#include "text/count.h"

#include <stdint.h>

enum {
    VERSION = 3,
    FIRST_SEALED = 3,
    SEAL_SIZE = 16,
    NUMBER_SIZE = 10, /* of the longest number of 64 bits */
    LEAST_PLACE = 3,  /* bytes: its offset and two lengths */
    AHEAD = 8
};

/* ---- Places -------------------------------------------------------------------------------- */

/* The bytes that are changed, and how they are read; and what was said of them so far. */
typedef struct encoder {
    em_slice old;
    const em_extract *extract; /* of which `old` is the body: places are places in it; NULL */
    const em_lines *lines;     /* of `old`; NULL */
    em_script_kind kind;
    size_t unit; /* places and contexts begin and end at multiples of this */
    em_splices splices;
    size_t old_at, new_at;           /* where the splice before ends, in either content */
    size_t told_until;               /* the old content, by the last place and what is behind it */
    size_t context_bytes, new_bytes; /* of all places */
} encoder;

static size_t whole_units(const encoder *e, size_t length)
{
    return length - length % e->unit;
}

/* Splice number `i`, the next one, without what is the same at its edges. */
static em_place_change place_next(encoder *e, size_t i)
{
    const em_splice *splice = &e->splices.items[i];
    if (i + AHEAD < e->splices.count) /* places lie far apart in memory */
        __builtin_prefetch(e->old.ptr + e->splices.items[i + AHEAD].offset);
    em_slice was = em_slice_sub(e->old, splice->offset, splice->offset + splice->length);
    em_slice is = splice->insert;
    size_t head = whole_units(e, em_shared_head(was, is));
    size_t tail = whole_units(e, em_shared_tail(em_slice_from(was, head), em_slice_from(is, head)));
    size_t at = e->new_at + splice->offset - e->old_at;
    e->new_at = at + is.len;
    e->old_at = splice->offset + splice->length;
    return (em_place_change){.old_at = splice->offset + head,
                             .new_at = at + head,
                             .old_bytes = em_slice_sub(was, head, was.len - tail),
                             .new_length = is.len - head - tail,
                             .new_bytes = em_slice_sub(is, head, is.len - tail)};
}

static size_t old_end(const em_place_change *place)
{
    return place->old_at + place->old_bytes.len;
}

/* ---- What stands around -------------------------------------------------------------------- */

static bool is_newline_at(const encoder *e, size_t at)
{
    const char *here = e->old.ptr + at, *newline = e->kind.newline.ptr;
    return *here == *newline && (e->unit == 1 || memcmp(here, newline, e->unit) == 0);
}

/* Where the context before `at` begins: some lines before, and not before `least`. */
static size_t context_start(const encoder *e, size_t at, size_t least)
{
    size_t lines = 0, start = at;
    while (start >= least + e->unit && at - start + e->unit <= EM_CONTEXT_MOST) {
        if (is_newline_at(e, start - e->unit) && ++lines > EM_CONTEXT_LINES)
            break;
        start -= e->unit;
    }
    return start;
}

/* Where the context behind `at` ends: the rest of its line and some lines behind, and not behind
 * `most`. */
static size_t context_end(const encoder *e, size_t at, size_t most)
{
    bool starts_line = at == 0 || is_newline_at(e, at - e->unit);
    size_t lines = EM_CONTEXT_LINES + !starts_line, end = at;
    while (lines > 0 && end + e->unit <= most && end - at + e->unit <= EM_CONTEXT_MOST) {
        lines -= is_newline_at(e, end);
        end += e->unit;
    }
    return end;
}

/* `most`: where the next place begins. */
static void context_find(encoder *e, em_place_change *place, size_t most)
{
    if (e->context_bytes >= EM_CONTEXTS_MOST)
        return;
    size_t end = old_end(place), from = context_start(e, place->old_at, e->told_until);
    place->before = em_slice_sub(e->old, from, place->old_at);
    place->after = em_slice_sub(e->old, end, context_end(e, end, most));
    e->context_bytes += place->before.len + place->after.len;
}

/* How many lines end in [from, to) of the old content. */
static size_t lines_between(const encoder *e, size_t from, size_t to)
{
    size_t lines = 0;
    if (e->extract)
        return em_extract_lfs_before(e->extract, to) - em_extract_lfs_before(e->extract, from);
    if (e->unit == 1)
        return e->lines ? em_lines_lfs_between(e->lines, from, to) : em_count_lfs(e->old, from, to);
    for (; from + e->unit <= to; from += e->unit)
        lines += is_newline_at(e, from);
    return lines;
}

static void new_bytes_choose(encoder *e, em_place_change *place)
{
    place->has_new = place->new_length <= EM_NEW_MOST - e->new_bytes;
    if (place->has_new)
        e->new_bytes += place->new_length;
}

/* ---- Writing ------------------------------------------------------------------------------- */

static char *number_put(char *out, uint64_t value)
{
    while (value >= 0x80) {
        *out++ = (char)(value | 0x80);
        value >>= 7;
    }
    *out++ = (char)value;
    return out;
}

static char *bytes_put(char *out, em_slice bytes)
{
    out = number_put(out, bytes.len);
    if (bytes.len > 0)
        memcpy(out, bytes.ptr, bytes.len);
    return out + bytes.len;
}

/* Contexts are told until they are too many, so those of one place may be more. */
static size_t most_size(const encoder *e, em_slice charset)
{
    enum { AROUND = 2 * EM_CONTEXT_MOST };
    size_t count = e->splices.count, old = 0, new = 0;
    for (size_t i = 0; i < count; i++) {
        old += e->splices.items[i].length;
        new += e->splices.items[i].insert.len;
    }
    return 2 + 3 * NUMBER_SIZE + charset.len + e->unit + SEAL_SIZE + count * 7 * NUMBER_SIZE + old +
           em_least(new, EM_NEW_MOST) + em_least(count * AROUND, EM_CONTEXTS_MOST + AROUND);
}

static size_t in_file(const encoder *e, size_t at)
{
    return e->extract ? em_extract_to_file(e->extract, at) : at;
}

/* `done`: where the place before ends. */
static char *place_put(const encoder *e, char *out, const em_place_change *place, size_t done)
{
    out = number_put(out, in_file(e, place->old_at) - in_file(e, done));
    out = number_put(out, lines_between(e, done, place->old_at));
    out = bytes_put(out, place->old_bytes);
    *out++ = place->has_new;
    out = place->has_new ? bytes_put(out, place->new_bytes) : number_put(out, place->new_length);
    out = bytes_put(out, place->before);
    return bytes_put(out, place->after);
}

static char *seal_put(const char *code, char *out)
{
    em_hash seal = em_hash_of(em_slice_make(code, (size_t)(out - code)));
    memcpy(out, seal.hex, SEAL_SIZE);
    return out + SEAL_SIZE;
}

/* What is behind a place ends where the next one begins, so that is made first. */
static char *places_put(encoder *e, char *out)
{
    size_t done = 0, count = e->splices.count;
    em_place_change next = count > 0 ? place_next(e, 0) : (em_place_change){0};
    for (size_t i = 0; i < count; i++) {
        em_place_change place = next;
        bool is_last = i + 1 == count;
        if (!is_last)
            next = place_next(e, i + 1);
        context_find(e, &place, is_last ? e->old.len : next.old_at);
        new_bytes_choose(e, &place);
        out = place_put(e, out, &place, done);
        done = old_end(&place);
        e->told_until = done + place.after.len;
    }
    return out;
}

static em_status encode(encoder e, em_arena *arena, em_slice *out)
{
    em_slice charset = e.kind.charset ? em_slice_of(e.kind.charset) : (em_slice){0};
    if (e.kind.newline.len == 0)
        e.kind.newline = EM_LIT("\n");
    e.unit = e.kind.newline.len;
    char *code = em_alloc_raw(arena, most_size(&e, charset)), *end = code;
    if (!code)
        return EM_E_NOMEM;
    *end++ = VERSION;
    end = bytes_put(end, charset);
    end = bytes_put(end, e.kind.newline);
    end = number_put(end, e.splices.count);
    end = places_put(&e, end);
    *end++ = e.told_until == e.old.len;
    end = seal_put(code, end);
    *out = em_slice_make(code, (size_t)(end - code));
    return EM_OK;
}

em_status em_inverse_encode(em_slice old, const em_lines *lines, em_splices splices,
                            em_script_kind kind, em_arena *arena, em_slice *out)
{
    encoder e = {.old = old, .lines = lines, .kind = kind, .splices = splices};
    return encode(e, arena, out);
}

em_status em_inverse_encode_part(const em_extract *old, em_splices splices, em_script_kind kind,
                                 em_arena *arena, em_slice *out)
{
    em_splice *items = em_alloc_array(arena, splices.count, sizeof *items);
    if (!items)
        return EM_E_NOMEM;
    for (size_t i = 0; i < splices.count; i++) {
        items[i] = splices.items[i];
        size_t end = items[i].offset + items[i].length;
        items[i].offset = em_extract_find(old, items[i].offset, end);
        if (items[i].offset == EM_NPOS)
            return EM_E_NOT_FOUND;
    }
    encoder e = {.old = old->body, .extract = old, .kind = kind, .splices = {items, splices.count}};
    return encode(e, arena, out);
}

/* ---- Reading ------------------------------------------------------------------------------- */

/* What is left to be read; `bad` once something was not there. */
typedef struct decoder {
    em_slice code;
    bool bad;
} decoder;

/* A number; 0 where there is none, or one that is too large. */
static uint64_t number_take(decoder *d)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && d->code.len > 0; shift += 7) {
        uint64_t byte = (unsigned char)d->code.ptr[0];
        uint64_t bits = byte & 0x7F;
        d->code = em_slice_from(d->code, 1);
        if (bits << shift >> shift != bits)
            break;
        value |= bits << shift;
        if (byte < 0x80)
            return value;
    }
    d->bad = true;
    return 0;
}

static em_slice bytes_take(decoder *d)
{
    uint64_t length = number_take(d);
    if (length > d->code.len) {
        d->bad = true;
        return (em_slice){0};
    }
    em_slice bytes = em_slice_sub(d->code, 0, (size_t)length);
    d->code = em_slice_from(d->code, (size_t)length);
    return bytes;
}

static void add(decoder *d, size_t *to, uint64_t value)
{
    if (__builtin_add_overflow(*to, value, to))
        d->bad = true;
}

/* Where the place before ended. */
typedef struct ends {
    size_t old_at, new_at, line;
} ends;

static void place_take_1(decoder *d, ends *at, em_place_change *place)
{
    uint64_t distance = number_take(d);
    add(d, &at->old_at, distance);
    add(d, &at->new_at, distance);
    *place = (em_place_change){.old_at = at->old_at, .new_at = at->new_at, .line = EM_NPOS};
    place->new_length = (size_t)number_take(d);
    place->old_bytes = bytes_take(d);
}

static void place_take_2(decoder *d, ends *at, em_place_change *place)
{
    uint64_t distance = number_take(d);
    add(d, &at->old_at, distance);
    add(d, &at->new_at, distance);
    add(d, &at->line, number_take(d));
    *place = (em_place_change){.old_at = at->old_at, .new_at = at->new_at, .line = at->line};
    place->old_bytes = bytes_take(d);
    place->has_new = number_take(d) == 1;
    if (place->has_new)
        place->new_bytes = bytes_take(d);
    place->new_length = place->has_new ? place->new_bytes.len : (size_t)number_take(d);
    place->before = bytes_take(d);
    place->after = bytes_take(d);
}

static size_t count_newlines(em_slice bytes, em_slice newline)
{
    size_t count = 0;
    for (size_t at = 0; at + newline.len <= bytes.len; at += newline.len)
        count += memcmp(bytes.ptr + at, newline.ptr, newline.len) == 0;
    return count;
}

static em_status places_take(decoder *d, bool first_version, em_arena *arena, em_inverse *out)
{
    uint64_t count = number_take(d);
    ends at = {0};
    if (d->bad || count > d->code.len / LEAST_PLACE)
        return EM_E_INVALID;
    out->count = (size_t)count;
    out->places = em_alloc_array(arena, out->count, sizeof *out->places);
    if (!out->places)
        return EM_E_NOMEM;
    for (size_t i = 0; i < out->count && !d->bad; i++) {
        em_place_change *place = &out->places[i];
        if (first_version)
            place_take_1(d, &at, place);
        else
            place_take_2(d, &at, place);
        add(d, &at.old_at, place->old_bytes.len);
        add(d, &at.new_at, place->new_length);
        at.line += count_newlines(place->old_bytes, out->kind.newline);
    }
    return EM_OK;
}

static em_status kind_take(decoder *d, em_arena *arena, em_script_kind *kind)
{
    em_slice charset = bytes_take(d);
    kind->newline = bytes_take(d);
    if (kind->newline.len == 0 || kind->newline.len > 4)
        return EM_E_INVALID;
    if (charset.len == 0)
        return EM_OK;
    kind->charset = em_arena_string(arena, charset);
    return kind->charset ? EM_OK : EM_E_NOMEM;
}

/* Is the code as it was written? Its seal comes off. */
static bool unseal(em_slice *code)
{
    if (code->len < SEAL_SIZE)
        return false;
    em_slice sealed = em_slice_sub(*code, 0, code->len - SEAL_SIZE);
    em_hash seal = em_hash_of(sealed);
    bool is_intact = memcmp(seal.hex, sealed.ptr + sealed.len, SEAL_SIZE) == 0;
    *code = sealed;
    return is_intact;
}

em_status em_inverse_decode(em_slice code, em_arena *arena, em_inverse *out)
{
    *out = (em_inverse){.kind.newline = EM_LIT("\n")};
    if (code.len == 0 || code.ptr[0] < 1 || code.ptr[0] > VERSION)
        return EM_E_INVALID;
    if (code.ptr[0] >= FIRST_SEALED && !unseal(&code))
        return EM_E_INVALID;
    bool first_version = code.ptr[0] == 1;
    decoder d = {.code = em_slice_from(code, 1)};
    if (!first_version)
        EM_TRY(kind_take(&d, arena, &out->kind));
    EM_TRY(places_take(&d, first_version, arena, out));
    if (!first_version)
        out->ends_file = number_take(&d) == 1;
    return d.bad || d.code.len > 0 ? EM_E_INVALID : EM_OK;
}

bool em_inverse_reaches_next(const em_inverse *inverse, size_t index)
{
    if (index + 1 >= inverse->count)
        return false;
    const em_place_change *place = &inverse->places[index], *next = place + 1;
    return place->after.len + next->before.len == next->old_at - old_end(place);
}

/* ---- Splices ------------------------------------------------------------------------------- */

em_status em_inverse_back(const em_inverse *inverse, em_arena *arena, em_splices *out)
{
    em_splice *items = em_alloc_array(arena, inverse->count, sizeof *items);
    if (!items)
        return EM_E_NOMEM;
    for (size_t i = 0; i < inverse->count; i++) {
        const em_place_change *place = &inverse->places[i];
        items[i] = (em_splice){place->new_at, place->new_length, place->old_bytes};
    }
    *out = (em_splices){.items = items, .count = inverse->count};
    return EM_OK;
}

em_status em_inverse_forth(const em_inverse *inverse, em_arena *arena, em_splices *out)
{
    em_splice *items = em_alloc_array(arena, inverse->count, sizeof *items);
    if (!items)
        return EM_E_NOMEM;
    for (size_t i = 0; i < inverse->count; i++) {
        const em_place_change *place = &inverse->places[i];
        if (!place->has_new)
            return EM_E_NOT_FOUND;
        items[i] = (em_splice){place->old_at, place->old_bytes.len, place->new_bytes};
    }
    *out = (em_splices){.items = items, .count = inverse->count};
    return EM_OK;
}
