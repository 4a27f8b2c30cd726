/* records_fuzz.c: what recovery and undo read back: journals of transactions, the way back of a
 * change.
 *
 * Whatever the bytes are, reading ends, and what is taken for a record is just what would be
 * written for it. The first byte chooses: an odd one reads a journal, an even one the way back.
 * With its second bit set the checksum of a journal is made right first, so that what stands behind
 * it is reached.
 */
#include "fuzz.h"

#include "history/inverse.h"
#include "workspace/journal.h"

#define JOURNAL_HEAD "emend journal 1\n"

const em_slice em_fuzz_seeds[] = {
    SEED("\1" JOURNAL_HEAD),
    SEED("\3" JOURNAL_HEAD "\x10\0\0\0\0\0\0\0"
         "0123456789abcdef\1\0\0\0\0\0\0\0"),
    SEED("\0\2\0\0\1\0\0\3one\1\3two\0\0\1"),
    SEED("\0\2\5UTF-8\1\n\2\4\1\1x\0\3\0\0\7\2\0\1\1y\0\0\0"),
    SEED("\0\1\1\0\3one\3"),
    {NULL, 0},
};
const em_slice em_fuzz_words[] = {
    SEED("\0\0\0\0\0\0\0\0"),
    SEED("\xff\xff\xff\xff\xff\xff\xff\xff"),
    SEED("\1\0\0\0\0\0\0\0"),
    SEED("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"),
    SEED("\xff\x7f"),
    SEED("0123456789abcdef"),
    SEED("../"),
    SEED(".emend-00000000000000000000000000000000"),
    SEED("/etc/passwd"),
    {NULL, 0},
};

/* ---- Journals -------------------------------------------------------------------------------- */

static void read_journal(em_slice bytes, em_arena *arena)
{
    em_journal journal;
    em_slice again;
    em_error err = EM_ERROR_INIT;
    em_status status = em_journal_decode(bytes, arena, &journal, &err);
    HOLDS(status == EM_OK || (status == EM_E_INVALID && err.detail[0] != '\0'));
    if (status != EM_OK)
        return;
    HOLDS(em_journal_encode(&journal, arena, &again) == EM_OK);
    HOLDS(em_slice_eq(again, bytes));
}

/* With the checksum that it ought to have at its end. */
static em_slice with_checksum(em_slice bytes, em_arena *arena)
{
    em_hash hash = em_hash_of(bytes);
    size_t digits = sizeof hash.hex - 1;
    char *whole = em_alloc_raw(arena, bytes.len + digits + 1);
    HOLDS(whole);
    memcpy(whole, bytes.ptr, bytes.len);
    memcpy(whole + bytes.len, hash.hex, digits);
    return em_slice_make(whole, bytes.len + digits);
}

/* A journal that is right, with what `bytes` says: it must come back as it was; and with any one
 * bit of it flipped it must not. */
static void write_journal(em_slice bytes, em_arena *arena)
{
    em_row rows[4];
    em_journal journal = {.name = "0123456789abcdef", .rows = rows, .count = bytes.len % 5};
    char *text = em_arena_string(arena, bytes), *coded;
    em_slice code;
    em_error err = EM_ERROR_INIT;
    HOLDS(text);
    for (size_t i = 0; i < journal.count; i++)
        rows[i] = (em_row){.id = (int64_t)(bytes.len + i),
                           .kind = (em_row_kind)(i % 4),
                           .root = "/root",
                           .path = text,
                           .temp = i % 2 ? text : NULL,
                           .boot = "",
                           .txn = "0123456789abcdef",
                           .old_hash = em_hash_of(bytes),
                           .new_hash = em_hash_of(EM_LIT("")),
                           .old_size = bytes.len};
    HOLDS(em_journal_encode(&journal, arena, &code) == EM_OK);
    coded = (char *)(uintptr_t)code.ptr;
    read_journal(code, arena);
    size_t bit = (bytes.len * 2654435761u) % (code.len * 8);
    coded[bit / 8] ^= (char)(1 << bit % 8);
    em_journal read;
    HOLDS(em_journal_decode(code, arena, &read, &err) == EM_E_INVALID);
}

/* ---- The way back ---------------------------------------------------------------------------- */

static void check_splices(em_splices splices)
{
    for (size_t i = 1; i < splices.count; i++)
        HOLDS(splices.items[i].offset >= splices.items[i - 1].offset + splices.items[i - 1].length);
}

static void read_inverse(em_slice bytes, em_arena *arena)
{
    em_inverse inverse;
    em_splices splices;
    em_status status = em_inverse_decode(bytes, arena, &inverse);
    HOLDS(status == EM_OK || status == EM_E_INVALID);
    if (status != EM_OK)
        return;
    HOLDS(em_inverse_back(&inverse, arena, &splices) == EM_OK);
    check_splices(splices);
    status = em_inverse_forth(&inverse, arena, &splices);
    HOLDS(status == EM_OK || status == EM_E_NOT_FOUND);
    if (status == EM_OK)
        check_splices(splices);
    for (size_t i = 0; i < inverse.count; i++)
        HOLDS(!em_inverse_reaches_next(&inverse, i) || i + 1 < inverse.count);
}

/* ---- The harness ----------------------------------------------------------------------------- */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    EM_AUTO(em_arena) arena = {0};
    if (size == 0)
        return 0;
    em_slice bytes = em_slice_make((const char *)data + 1, size - 1);
    if (data[0] & 1)
        read_journal(data[0] & 2 ? with_checksum(bytes, &arena) : bytes, &arena);
    else
        read_inverse(bytes, &arena);
    if (data[0] & 4)
        write_journal(bytes, &arena);
    return 0;
}
