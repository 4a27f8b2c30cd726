/* similar_places_fuzz.c: any search text in any text: what is near, how near, and what differs.
 *
 * The input is a byte that says how many places are wanted and one that says how long the search
 * text is; then the search text and the text. Distances are compared with those of the whole table.
 */
#include "fuzz.h"

#include "base/utf8.h"
#include "diagnosis/differences.h"
#include "match/similar_places.h"
#include "text/similarity.h"

#include <math.h>

enum { HEAD = 2, LONGEST = 2048, MOST_DIFFERENCES = 50 };

const em_slice em_fuzz_seeds[] = {
    SEED("\3\22const foo = 'bar';a\nconst  foo = 'bar';\nconst foo = \"bar\";\n"),
    SEED("\5\40if (a) {\n  one();\n  two();\n}\nx\nif (a) {\n\tone();\n\t/* why */\n\ttwo();\n}\n"),
    SEED("\2\3});foo({\n  a: 1\n})\n})\n"),
    SEED("\1\20max_worker = 200\rmax_worker = 100\rmin_worker = 200\r\n"),
    SEED("\7\14gr\xC3\xBCn \xE2\x82\xAC\xFF b\ngrun\xC2\xA0\xE2\x82\xAC\xFE b\r\n"),
    {NULL, 0},
};
const em_slice em_fuzz_words[] = {
    SEED("\r\n"),         SEED("\n"),           SEED("\r"),       SEED("    "),
    SEED("\t"),           SEED("value"),        SEED("const "),   SEED("\xC2\xA0"),
    SEED("\xFF"),         SEED("\xE2\x82\xAC"), SEED("});"),      SEED("'"),
    SEED("\xE2\x80\x9C"), SEED("VALUE"),        SEED("aaaaaaaa"), {NULL, 0},
};

/* Code points; a byte that is not valid UTF-8 is one, unlike all others. */
static size_t codes_of(em_slice text, uint32_t *codes)
{
    size_t count = 0;
    for (size_t at = 0; at < text.len; count++) {
        size_t start = at;
        codes[count] = em_utf8_next(text, &at);
        if (codes[count] == 0xFFFD && at == start + 1)
            codes[count] = 0x200000u + (unsigned char)text.ptr[start];
    }
    return count;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t naive_distance(em_slice a, em_slice b)
{
    static uint32_t rows[LONGEST], columns[LONGEST];
    static size_t table[2][LONGEST + 1];
    size_t m = codes_of(a, rows), n = codes_of(b, columns);
    for (size_t i = 0; i <= m; i++)
        table[0][i] = i;
    for (size_t j = 1; j <= n; j++) {
        size_t *now = table[j % 2], *before = table[(j - 1) % 2];
        now[0] = j;
        for (size_t i = 1; i <= m; i++)
            now[i] = least(before[i - 1] + (rows[i - 1] != columns[j - 1]),
                           1 + least(before[i], now[i - 1]));
    }
    return table[n % 2][m];
}

static bool is_break(char byte)
{
    return byte == '\n' || byte == '\r';
}

static em_slice without_outer_breaks(em_slice s)
{
    while (s.len > 0 && is_break(s.ptr[0]))
        s = em_slice_from(s, 1);
    while (s.len > 0 && is_break(s.ptr[s.len - 1]))
        s.len--;
    return s;
}

static bool is_similarity(double similarity, em_slice a, em_slice b)
{
    double truth = em_similarity_at(naive_distance(a, b), em_utf8_count(a), em_utf8_count(b));
    return fabs(similarity - truth) < 1e-9;
}

static void check_place(em_slice text, em_slice find, const em_similar_place *place)
{
    HOLDS(place->start <= place->piece.start && place->piece.start < place->piece.end);
    HOLDS(place->piece.end <= place->end && place->end <= text.len);
    HOLDS(place->start == 0 || is_break(text.ptr[place->start - 1]));
    HOLDS(place->end == text.len || is_break(text.ptr[place->end]));
    HOLDS(place->twin <= place->likeness && place->likeness <= 1);
    find = without_outer_breaks(find);
    em_slice piece = em_slice_sub(text, place->piece.start, place->piece.end);
    HOLDS(is_similarity(place->piece_similarity, find, piece));
    HOLDS(is_similarity(place->similarity, find, em_slice_sub(text, place->start, place->end)));
    HOLDS(place->similarity <= place->piece_similarity);
}

static void check_list(em_slice text, em_slice find, const em_similar_place_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        check_place(text, find, &list->items[i]);
        HOLDS(i == 0 || list->items[i - 1].likeness >= list->items[i].likeness);
        for (size_t k = 0; k < i; k++)
            HOLDS(list->items[k].end < list->items[i].start ||
                  list->items[i].end < list->items[k].start);
    }
}

static void check_similar_places(em_slice text, em_slice find, size_t most, em_arena *arena)
{
    em_similar_place_list list;
    HOLDS(em_find_similar_places(text, find, most, 0.4, NULL, arena, &list) == EM_OK);
    HOLDS(list.count <= most && !list.timed_out);
    check_list(text, find, &list);
    HOLDS(em_narrow_places(text, find, NULL, arena, &list) == EM_OK);
    check_list(text, find, &list);
}

static bool lies_in(em_slice part, em_slice whole)
{
    return part.len == 0 || (part.ptr >= whole.ptr && part.ptr + part.len <= whole.ptr + whole.len);
}

static void check_differences(em_slice expected, em_slice found, em_arena *arena)
{
    em_differences differences;
    HOLDS(em_differences_of(expected, found, MOST_DIFFERENCES, arena, &differences) == EM_OK);
    HOLDS(differences.count <= MOST_DIFFERENCES);
    HOLDS(differences.count > 0 || em_slice_eq(expected, found) ||
          !em_slice_has_byte(expected, '\r')); /* line endings may be all that differs */
    for (size_t i = 0; i < differences.count; i++) {
        const em_difference *d = &differences.items[i];
        HOLDS(lies_in(d->expected, expected) && lies_in(d->found, found));
        HOLDS(!em_slice_eq(d->expected, d->found));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    EM_AUTO(em_arena) arena = {0};
    if (size < HEAD || size > LONGEST)
        return 0;
    em_slice rest = em_slice_make((const char *)data + HEAD, size - HEAD);
    size_t length = least(data[1], rest.len);
    em_slice find = em_slice_sub(rest, 0, length), text = em_slice_from(rest, length);
    double there, back;
    HOLDS(em_similarity(find, text, NULL, &there) == EM_OK);
    HOLDS(em_similarity(text, find, NULL, &back) == EM_OK);
    HOLDS(there == back && is_similarity(there, find, text));
    check_similar_places(text, find, data[0] % 16, &arena);
    check_differences(find, text, &arena);
    return 0;
}
