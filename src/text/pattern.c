/* pattern.c: the table of distances in blocks of 64 rows, and what is read out of its columns. */
#include "text/pattern.h"

#include "base/utf8.h"
#include "text/token.h"

enum { BLOCK = 64, NO_SYMBOL = 0, INVALID = 0x110000 };

/* Where a piece may end: a border of two code points of the text. */
struct em_pattern_border {
    size_t offset;
    size_t score;    /* the distance of a piece that ends there */
    ptrdiff_t price; /* twice that, and more or less for where it ends */
};

/* ---- Code points ---------------------------------------------------------------------------- */

static uint32_t code_at(em_slice text, size_t *offset)
{
    size_t start = *offset;
    unsigned char byte = (unsigned char)text.ptr[start];
    if (byte < 0x80) {
        *offset = start + 1;
        return byte;
    }
    uint32_t code = em_utf8_next(text, offset);
    return *offset == start + 1 ? (uint32_t)(INVALID + byte) : code;
}

/* ---- The alphabet: a number for each code point that the pattern has ------------------------- */

struct em_alphabet {
    uint32_t ascii[128];
    uint32_t *codes, *symbols; /* a hash table of the others */
    size_t slots;              /* a power of two */
    uint32_t count;            /* of symbols; they begin at 1 */
};

static size_t slot_of(const struct em_alphabet *alphabet, uint32_t code)
{
    size_t slot = (code * 2654435769u >> 7) & (alphabet->slots - 1);
    while (alphabet->symbols[slot] != NO_SYMBOL && alphabet->codes[slot] != code)
        slot = (slot + 1) & (alphabet->slots - 1);
    return slot;
}

static uint32_t symbol_of(const struct em_alphabet *alphabet, uint32_t code)
{
    return code < 128 ? alphabet->ascii[code] : alphabet->symbols[slot_of(alphabet, code)];
}

static void alphabet_add(struct em_alphabet *alphabet, uint32_t code)
{
    uint32_t *symbol = &alphabet->ascii[code & 127];
    if (code >= 128) {
        size_t slot = slot_of(alphabet, code);
        alphabet->codes[slot] = code;
        symbol = &alphabet->symbols[slot];
    }
    if (*symbol == NO_SYMBOL)
        *symbol = ++alphabet->count;
}

static struct em_alphabet *alphabet_of(em_slice text, em_arena *arena)
{
    struct em_alphabet *alphabet = em_alloc(arena, sizeof *alphabet);
    if (!alphabet)
        return NULL;
    size_t others = 0;
    for (size_t at = 0; at < text.len;)
        others += code_at(text, &at) >= 128;
    for (alphabet->slots = 2; alphabet->slots < 2 * others;)
        alphabet->slots *= 2;
    alphabet->codes = em_alloc_array(arena, alphabet->slots, sizeof *alphabet->codes);
    alphabet->symbols = em_alloc_array(arena, alphabet->slots, sizeof *alphabet->symbols);
    if (!alphabet->codes || !alphabet->symbols)
        return NULL;
    for (size_t at = 0; at < text.len;)
        alphabet_add(alphabet, code_at(text, &at));
    return alphabet;
}

/* `text` as symbols, into pattern->symbols. */
static em_status read_symbols(em_pattern *pattern, em_slice text, size_t *count)
{
    if (!pattern->symbols || text.len > pattern->room) {
        size_t room = text.len + text.len / 4;
        pattern->symbols = em_alloc_array(pattern->arena, room, sizeof *pattern->symbols);
        if (!pattern->symbols)
            return EM_E_NOMEM;
        pattern->room = room;
    }
    *count = 0;
    for (size_t at = 0; at < text.len;)
        pattern->symbols[(*count)++] = symbol_of(pattern->alphabet, code_at(text, &at));
    return EM_OK;
}

/* ---- Rows: where in the pattern each symbol stands ------------------------------------------- */

/* Symbols that stand often have a row of bits, the others a list of places, from which the row is
 * made when it is needed. Since the former stand more often than there are blocks, there are fewer
 * than 64 of them; where all rows together are small, all have one. */
struct em_pattern_rows {
    uint64_t **bits;   /* of each symbol; NULL where it has a list */
    size_t *first;     /* of each symbol: where its list begins in `places`; one more behind */
    uint32_t *places;  /* as many as the pattern has code points */
    uint64_t *scratch; /* a row that is made of a list; zeros between two uses */
};

enum { SMALL_ROWS = 1 << 17 }; /* 1 MiB */

static void set_bit(uint64_t *row, size_t place)
{
    row[place / BLOCK] |= (uint64_t)1 << place % BLOCK;
}

static bool rows_alloc(struct em_pattern_rows *rows, const em_pattern *pattern)
{
    size_t symbols = pattern->alphabet->count + 1;
    rows->bits = em_alloc_array(pattern->arena, symbols, sizeof *rows->bits);
    rows->first = em_alloc_array(pattern->arena, symbols + 1, sizeof *rows->first);
    rows->places = em_alloc_array(pattern->arena, pattern->length, sizeof *rows->places);
    rows->scratch = em_alloc_array(pattern->arena, pattern->blocks, sizeof *rows->scratch);
    return rows->bits && rows->first && rows->places && rows->scratch;
}

/* The places of each symbol, by counting first; `text` is the pattern as symbols. */
static void rows_fill(struct em_pattern_rows *rows, const em_pattern *pattern, const uint32_t *text,
                      bool backward)
{
    size_t symbols = pattern->alphabet->count + 1, length = pattern->length;
    for (size_t i = 0; i < length; i++)
        rows->first[text[i]]++;
    for (size_t symbol = 1; symbol <= symbols; symbol++)
        rows->first[symbol] += rows->first[symbol - 1];
    for (size_t place = length; place-- > 0;) {
        uint32_t symbol = text[backward ? length - 1 - place : place];
        rows->places[--rows->first[symbol]] = (uint32_t)place;
    }
}

static bool rows_spread(struct em_pattern_rows *rows, const em_pattern *pattern)
{
    size_t symbols = pattern->alphabet->count + 1;
    size_t least = symbols * pattern->blocks <= SMALL_ROWS ? 0 : pattern->blocks;
    for (size_t symbol = 0; symbol < symbols; symbol++) {
        size_t from = rows->first[symbol], to = rows->first[symbol + 1];
        if (to - from < least)
            continue;
        uint64_t *row = em_alloc_array(pattern->arena, pattern->blocks, sizeof *row);
        if (!row)
            return false;
        for (size_t i = from; i < to; i++)
            set_bit(row, rows->places[i]);
        rows->bits[symbol] = row;
    }
    return true;
}

static struct em_pattern_rows *rows_of(const em_pattern *pattern, bool backward)
{
    struct em_pattern_rows *rows = em_alloc(pattern->arena, sizeof *rows);
    if (!rows || !rows_alloc(rows, pattern))
        return NULL;
    rows_fill(rows, pattern, pattern->symbols, backward);
    return rows_spread(rows, pattern) ? rows : NULL;
}

/* The row of a symbol; of the blocks [first, last], the others may be empty. */
static const uint64_t *row_take(const struct em_pattern_rows *rows, uint32_t symbol, size_t first,
                                size_t last)
{
    if (rows->bits[symbol])
        return rows->bits[symbol];
    size_t low = rows->first[symbol], end = rows->first[symbol + 1], high = end;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (rows->places[middle] / BLOCK < first)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < end && rows->places[low] / BLOCK <= last; low++)
        set_bit(rows->scratch, rows->places[low]);
    return rows->scratch;
}

static void row_give_back(const struct em_pattern_rows *rows, uint32_t symbol, size_t first,
                          size_t last)
{
    if (!rows->bits[symbol])
        memset(rows->scratch + first, 0, (last - first + 1) * sizeof *rows->scratch);
}

/* ---- The table of distances, a column at a time ---------------------------------------------- */

/* 64 rows of a column: where the distance is one more than in the row above, and where one less. */
struct em_pattern_block {
    uint64_t plus, minus;
};

/* A step of the block to the next column. What comes in and goes out is how the row above the
 * block, and its row `bottom`, differ from the column before. */
typedef struct carry {
    uint64_t plus, minus; /* 0 or 1 */
} carry;

static inline carry step(struct em_pattern_block *block, uint64_t same, carry in, size_t bottom)
{
    uint64_t vertical = same | block->minus;
    same |= in.minus;
    uint64_t horizontal = (((same & block->plus) + block->plus) ^ block->plus) | same;
    uint64_t plus = block->minus | ~(horizontal | block->plus);
    uint64_t minus = block->plus & horizontal;
    carry out = {plus >> bottom & 1, minus >> bottom & 1};
    plus = plus << 1 | in.plus;
    minus = minus << 1 | in.minus;
    block->plus = minus | ~(vertical | plus);
    block->minus = plus & vertical;
    return out;
}

/* One run over the table. Columns are code points of the text, rows those of the pattern; cell
 * (0, 0) stands before the first of both, and a diagonal is column - row. */
typedef struct run {
    em_pattern *pattern;
    const struct em_pattern_rows *rows;
    size_t columns;
    bool backward;         /* over both texts from behind */
    bool free_start;       /* the piece may start anywhere: row 0 is all 0 */
    ptrdiff_t least, most; /* the diagonals that count */
    size_t first, last;    /* blocks of the column that count now */
    size_t score;          /* in the last row of block `last` */
} run;

static size_t rows_through(const run *r, size_t block)
{
    size_t rows = (block + 1) * BLOCK;
    return rows < r->pattern->length ? rows : r->pattern->length;
}

/* The block that holds `row`; rows are counted from 1, and those beyond either end are meant as the
 * outermost. */
static size_t block_of_row(const run *r, ptrdiff_t row)
{
    if (row < 1)
        return 0;
    size_t inside = (size_t)row < r->pattern->length ? (size_t)row : r->pattern->length;
    return (inside - 1) / BLOCK;
}

/* A block that comes into the band has not been reached: coming down into it from the block above
 * is what is known, which is never less than the truth. */
static void open_blocks(run *r, size_t column)
{
    size_t last = block_of_row(r, (ptrdiff_t)column - r->least);
    for (; r->last < last; r->last++) {
        r->pattern->column[r->last + 1] = (struct em_pattern_block){~(uint64_t)0, 0};
        r->score += rows_through(r, r->last + 1) - rows_through(r, r->last);
    }
    size_t first = block_of_row(r, (ptrdiff_t)column - r->most);
    r->first = first < r->last ? first : r->last;
}

static void run_begin(run *r)
{
    r->pattern->column[0] = (struct em_pattern_block){~(uint64_t)0, 0};
    r->first = r->last = 0;
    r->score = rows_through(r, 0);
    open_blocks(r, 0);
}

/* To column `column`, counted from 1. */
static void run_column(run *r, size_t column)
{
    size_t at = r->backward ? r->columns - column : column - 1;
    uint32_t symbol = r->pattern->symbols[at];
    open_blocks(r, column);
    const uint64_t *row = row_take(r->rows, symbol, r->first, r->last);
    carry in = {r->first > 0 || !r->free_start, 0};
    for (size_t block = r->first; block < r->last; block++)
        in = step(&r->pattern->column[block], row[block], in, BLOCK - 1);
    size_t bottom = (rows_through(r, r->last) - 1) % BLOCK;
    carry out = step(&r->pattern->column[r->last], row[r->last], in, bottom);
    r->score += out.plus - out.minus;
    row_give_back(r->rows, symbol, r->first, r->last);
}

/* Is the score that of the whole pattern? */
static bool run_is_whole(const run *r)
{
    return r->last == r->pattern->blocks - 1;
}

enum { SPEND_EVERY = 64, STEP_COST = 4 };

static bool out_of_time(const run *r, size_t column, em_deadline *deadline)
{
    return column % SPEND_EVERY == 0 &&
           em_deadline_spend(deadline, SPEND_EVERY * STEP_COST * (r->last - r->first + 1));
}

/* ---- What users call ------------------------------------------------------------------------- */

/* A pattern of one line has none that would help to tell where it ends. */
static void find_edge_lines(em_pattern *pattern)
{
    em_slice text = pattern->text;
    const char *first = text.len > 0 ? memchr(text.ptr, '\n', text.len) : NULL;
    const char *last = text.len > 0 ? memrchr(text.ptr, '\n', text.len) : NULL;
    if (!first)
        return;
    pattern->first_line = em_slice_sub(text, 0, (size_t)(first - text.ptr));
    pattern->last_line = em_slice_from(text, (size_t)(last - text.ptr) + 1);
}

em_status em_pattern_init(em_pattern *pattern, em_slice text, em_arena *arena)
{
    *pattern = (em_pattern){.text = text, .arena = arena};
    pattern->alphabet = alphabet_of(text, arena);
    if (!pattern->alphabet)
        return EM_E_NOMEM;
    EM_TRY(read_symbols(pattern, text, &pattern->length));
    if (pattern->length > 0) {
        pattern->first_symbol = pattern->symbols[0];
        pattern->last_symbol = pattern->symbols[pattern->length - 1];
    }
    find_edge_lines(pattern);
    pattern->blocks = (pattern->length + BLOCK - 1) / BLOCK;
    pattern->column = em_alloc_array(arena, pattern->blocks, sizeof *pattern->column);
    pattern->forward = rows_of(pattern, false);
    pattern->backward = rows_of(pattern, true);
    return pattern->column && pattern->forward && pattern->backward ? EM_OK : EM_E_NOMEM;
}

static em_status whole_distance(run *r, em_deadline *deadline, size_t *distance)
{
    run_begin(r);
    for (size_t column = 1; column <= r->columns; column++) {
        run_column(r, column);
        if (out_of_time(r, column, deadline))
            return EM_E_TIMEOUT;
    }
    *distance = r->score;
    return EM_OK;
}

em_status em_pattern_distance(em_pattern *pattern, em_slice text, size_t limit,
                              em_deadline *deadline, size_t *distance)
{
    run r = {.pattern = pattern, .rows = pattern->forward};
    EM_TRY(read_symbols(pattern, text, &r.columns));
    size_t rows = pattern->length;
    size_t least = r.columns > rows ? r.columns - rows : rows - r.columns;
    size_t most = r.columns > rows ? r.columns : rows;
    if (limit > most)
        limit = most;
    *distance = limit + 1;
    if (least > limit)
        return EM_OK;
    if (least == most) { /* one of the two is empty */
        *distance = most;
        return EM_OK;
    }
    /* What leaves the diagonal of the end must come back to it. */
    ptrdiff_t aside = (ptrdiff_t)((limit - least) / 2), end = (ptrdiff_t)(r.columns - rows);
    r.least = (end < 0 ? end : 0) - aside;
    r.most = (end > 0 ? end : 0) + aside;
    size_t score;
    EM_TRY(whole_distance(&r, deadline, &score));
    if (score < *distance)
        *distance = score;
    return EM_OK;
}

/* What it may cost at most that no word is cut in two. */
static size_t dearest_border(const em_pattern *pattern)
{
    enum { DEAREST = 24 };
    return pattern->length / 2 < DEAREST ? pattern->length / 2 : DEAREST;
}

#define BEYOND (SIZE_MAX / 8) /* a score outside of the band */

/* The border of the text at which a column ends. */
static struct em_pattern_border *border_of(const run *r, size_t column)
{
    return &r->pattern->borders[r->backward ? r->columns - column : column];
}

/* Does the piece begin (or end) with the whole first (or last) line of the pattern? */
static bool has_edge_line(const run *r, em_slice text, size_t offset)
{
    em_slice line = r->backward ? r->pattern->first_line : r->pattern->last_line;
    if (line.len == 0 || (r->backward ? text.len - offset : offset) < line.len)
        return false;
    size_t start = r->backward ? offset : offset - line.len, end = start + line.len;
    bool whole = r->backward ? end == text.len || text.ptr[end] == '\n'
                             : start == 0 || text.ptr[start - 1] == '\n';
    return whole && memcmp(text.ptr + start, line.ptr, line.len) == 0;
}

/* What an end with such a line is worth: it may be so much further. Short lines stand everywhere,
 * and are worth less. */
static ptrdiff_t worth_of_edge_line(const run *r)
{
    size_t line = r->backward ? r->pattern->first_line.len : r->pattern->last_line.len;
    size_t worth = r->pattern->length / 4;
    return (ptrdiff_t)(4 * line < worth ? 4 * line : worth);
}

/* How good it is to end with this column: the score decides, and of equal ones those that end as
 * the pattern does. */
static ptrdiff_t price_of(const run *r, em_slice text, size_t column)
{
    const struct em_pattern_border *border = border_of(r, column);
    size_t at = r->backward ? r->columns - column : column - 1;
    uint32_t wanted = r->backward ? r->pattern->first_symbol : r->pattern->last_symbol;
    ptrdiff_t price = 2 * (ptrdiff_t)border->score;
    if (column == 0 || r->pattern->symbols[at] != wanted)
        return price + 1;
    return has_edge_line(r, text, border->offset) ? price - 2 * worth_of_edge_line(r) : price;
}

/* The best column from `first` on, of equal ones the first; one that cuts no word, if there is one
 * that is not too dear. */
static size_t choose_column(const run *r, em_slice text, size_t first, size_t columns)
{
    size_t chosen = first;
    for (size_t column = first; column <= columns; column++) {
        border_of(r, column)->price = price_of(r, text, column);
        if (border_of(r, column)->price < border_of(r, chosen)->price)
            chosen = column;
    }
    ptrdiff_t limit = border_of(r, chosen)->price + 2 * (ptrdiff_t)dearest_border(r->pattern) + 2;
    for (size_t column = first; column <= columns; column++) {
        const struct em_pattern_border *border = border_of(r, column);
        if (border->price < limit && em_token_border(text, border->offset, EM_FOLD_WRITING)) {
            limit = border->price;
            chosen = column;
        }
    }
    return chosen;
}

/* The borders of the code points of `text`, with room for a score at each. */
static em_status read_borders(em_pattern *pattern, em_slice text, size_t count)
{
    if (!pattern->borders || count >= pattern->border_room) {
        size_t room = count + count / 4 + 1;
        pattern->borders = em_alloc_array(pattern->arena, room, sizeof *pattern->borders);
        if (!pattern->borders)
            return EM_E_NOMEM;
        pattern->border_room = room;
    }
    size_t i = 0;
    for (size_t at = 0; at < text.len; i++) {
        pattern->borders[i].offset = at;
        code_at(text, &at);
    }
    pattern->borders[i].offset = text.len;
    return EM_OK;
}

/* One end of the nearest piece of `text`: its end, with the start free, or backwards from a fixed
 * end its start. `from` is the first end that counts, `aside` how far from the first diagonal a
 * start may lie. */
static em_status find_one_end(run *r, em_slice text, size_t from, size_t aside,
                              em_deadline *deadline, em_piece_end *found)
{
    em_pattern *pattern = r->pattern;
    EM_TRY(read_symbols(pattern, text, &r->columns));
    EM_TRY(read_borders(pattern, text, r->columns));
    size_t columns = r->columns;
    if (r->backward && columns > pattern->length + aside)
        columns = pattern->length + aside;
    r->least = -(ptrdiff_t)aside;
    r->most = (ptrdiff_t)(r->backward ? aside : columns);
    run_begin(r);
    for (size_t column = 0; column <= columns; column++) {
        if (column > 0)
            run_column(r, column);
        border_of(r, column)->score = run_is_whole(r) ? r->score : BEYOND;
        if (out_of_time(r, column, deadline))
            return EM_E_TIMEOUT;
    }
    size_t first = 0;
    while (!r->backward && first < columns && border_of(r, first)->offset < from)
        first++;
    const struct em_pattern_border *border = border_of(r, choose_column(r, text, first, columns));
    *found = (em_piece_end){border->offset, border->score};
    return EM_OK;
}

em_status em_pattern_find_end(em_pattern *pattern, em_slice text, size_t from,
                              em_deadline *deadline, em_piece_end *end)
{
    run r = {.pattern = pattern, .rows = pattern->forward, .free_start = true};
    *end = (em_piece_end){from, 0};
    if (pattern->length == 0)
        return EM_OK;
    return find_one_end(&r, text, from, pattern->length, deadline, end);
}

em_status em_pattern_find_start(em_pattern *pattern, em_slice text, em_piece_end end,
                                em_deadline *deadline, em_piece_end *start)
{
    run r = {.pattern = pattern, .rows = pattern->backward, .backward = true};
    *start = end;
    if (pattern->length == 0)
        return EM_OK;
    size_t aside = end.distance + dearest_border(pattern) + (size_t)worth_of_edge_line(&r);
    return find_one_end(&r, em_slice_sub(text, 0, end.offset), 0, aside, deadline, start);
}
