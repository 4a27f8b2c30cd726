/* replay.c: runs a harness on its seeds and on mutations of them, the same every time.
 *
 *   NAME_replay COUNT [CORPUS [SEED]]
 *       the seeds, the inputs of the corpus, and COUNT mutations of both; others with another SEED
 *   NAME_replay --seeds DIR [CORPUS]
 *       writes seeds and corpus as files, for libFuzzer to begin with
 *   NAME_replay --pack FILE...
 *       writes these inputs as a corpus to standard output
 *   NAME_replay FILE...
 *       runs these inputs, to look at what a fuzzer found
 *
 * A corpus has an input a line; what is not printable ASCII is written as in C, \xNN, and a
 * backslash twice.
 *
 * An input that makes the harness abort is left as `crash-replay` in the current folder.
 */
#include "fuzz.h"

#include <ctype.h>
#include <signal.h>
#include <unistd.h>

enum { LONGEST = 4096, MOST_STEPS = 6 };

static char input[LONGEST];
static size_t length;

/* ---- Chance, the same every time ------------------------------------------------------------ */

static uint64_t chance = 0x9E3779B97F4A7C15u;

/* Another row of numbers for each seed but 0; there is one number that never may be the state. */
static void seed_chance(uint64_t seed)
{
    uint64_t other = chance + seed * 0xBF58476D1CE4E5B9u;
    chance = other != 0 ? other : chance;
}

static size_t below(size_t bound)
{
    chance ^= chance << 13;
    chance ^= chance >> 7;
    chance ^= chance << 17;
    return bound == 0 ? 0 : (size_t)(chance % bound);
}

/* ---- The corpus ------------------------------------------------------------------------------ */

enum { CORPUS_MOST = 4096 };

static em_slice corpus[CORPUS_MOST];
static size_t corpus_count;

/* One line of it, in place: what is written out takes less room than what it stands for. */
static em_slice unescape(char *line)
{
    char *out = line, *at = line;
    while (*at) {
        unsigned value;
        if (at[0] == '\\' && at[1] == 'x' && sscanf(at + 2, "%2x", &value) == 1) {
            *out++ = (char)value;
            at += 4;
        } else {
            at += at[0] == '\\';
            *out++ = *at++;
        }
    }
    return em_slice_make(line, (size_t)(out - line));
}

static bool corpus_read(const char *path)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t got;
    FILE *file = fopen(path, "r");
    if (!file) {
        perror(path);
        return false;
    }
    while (corpus_count < CORPUS_MOST && (got = getline(&line, &room, file)) >= 0) {
        line[strcspn(line, "\n")] = '\0';
        corpus[corpus_count++] = unescape(line);
        line = NULL; /* kept: the corpus borrows it */
        room = 0;
    }
    free(line);
    fclose(file);
    return true;
}

static void corpus_drop(void)
{
    for (size_t i = 0; i < corpus_count; i++)
        free((char *)(uintptr_t)corpus[i].ptr);
}

static int pack(const char *path)
{
    int byte;
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return 1;
    }
    while ((byte = getc(file)) != EOF) {
        if (byte == '\\')
            fputs("\\\\", stdout);
        else if (byte >= ' ' && byte < 0x7F)
            putchar(byte);
        else
            printf("\\x%02X", (unsigned)byte);
    }
    putchar('\n');
    return fclose(file);
}

/* ---- Choosing -------------------------------------------------------------------------------- */

static em_slice one_of(const em_slice *list)
{
    size_t count = 0;
    while (list[count].ptr)
        count++;
    return count == 0 ? (em_slice){0} : list[below(count)];
}

/* A seed, or an input of the corpus. */
static em_slice one_to_begin_with(void)
{
    if (corpus_count > 0 && below(2) == 0)
        return corpus[below(corpus_count)];
    return one_of(em_fuzz_seeds);
}

/* ---- Mutations ------------------------------------------------------------------------------ */

static void put(size_t at, em_slice bytes)
{
    if (bytes.len == 0 || bytes.len > LONGEST - length)
        return;
    memmove(input + at + bytes.len, input + at, length - at);
    memcpy(input + at, bytes.ptr, bytes.len);
    length += bytes.len;
}

static void remove_range(size_t at, size_t count)
{
    memmove(input + at, input + at + count, length - at - count);
    length -= count;
}

static void repeat_range(size_t at, size_t count)
{
    char copy[LONGEST];
    memcpy(copy, input + at, count);
    put(at, em_slice_make(copy, count));
}

static void mutate_once(void)
{
    size_t at = below(length + 1), rest = length - at;
    size_t count = below(rest < 32 ? rest + 1 : 32);
    em_slice other;
    switch (below(7)) {
    case 0:
        if (rest > 0)
            input[at] = (char)(input[at] ^ (1 << below(8)));
        break;
    case 1:
        if (rest > 0)
            input[at] = (char)below(256);
        break;
    case 2:
        remove_range(at, count);
        break;
    case 3:
        repeat_range(at, count);
        break;
    case 4:
        put(at, one_of(em_fuzz_words));
        break;
    case 5: /* a piece of another input */
        other = one_to_begin_with();
        put(at, em_slice_from(other, below(other.len)));
        break;
    default:
        length = below(16) == 0 ? at : length;
        break;
    }
}

static void set_input(em_slice bytes)
{
    length = bytes.len < LONGEST ? bytes.len : LONGEST;
    memcpy(input, bytes.ptr, length);
}

/* ---- Running -------------------------------------------------------------------------------- */

static void keep_input(int signal_number)
{
    FILE *file = fopen("crash-replay", "wb");
    if (file) {
        fwrite(input, 1, length, file);
        fclose(file);
    }
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void run(void)
{
    LLVMFuzzerTestOneInput((const uint8_t *)input, length);
}

static size_t run_mutations(size_t count)
{
    size_t done = 0;
    for (const em_slice *seed = em_fuzz_seeds; seed->ptr; seed++, done++) {
        set_input(*seed);
        run();
    }
    for (size_t i = 0; i < corpus_count; i++, done++) {
        set_input(corpus[i]);
        run();
    }
    for (size_t i = 0; i < count; i++, done++) {
        if (i % 16 == 0) /* else go on from where the last mutation led */
            set_input(one_to_begin_with());
        for (size_t step = below(MOST_STEPS) + 1; step > 0; step--)
            mutate_once();
        run();
    }
    return done;
}

static bool write_input(const char *folder, const char *kind, size_t number, em_slice bytes)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s-%04zu", folder, kind, number);
    FILE *file = fopen(path, "wb");
    bool written = file && fwrite(bytes.ptr, 1, bytes.len, file) == bytes.len;
    if (!written || fclose(file) != 0)
        perror(path);
    return written;
}

static int write_seeds(const char *folder)
{
    bool written = true;
    for (size_t i = 0; em_fuzz_seeds[i].ptr && written; i++)
        written = write_input(folder, "seed", i, em_fuzz_seeds[i]);
    for (size_t i = 0; i < corpus_count && written; i++)
        written = write_input(folder, "corpus", i, corpus[i]);
    return written ? 0 : 1;
}

static int run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return 1;
    }
    length = fread(input, 1, sizeof input, file);
    fclose(file);
    run();
    return 0;
}

static int each(int (*task)(const char *path), char *const *paths)
{
    int failed = 0;
    for (; *paths; paths++)
        failed |= task(*paths);
    return failed;
}

static int run_task(int argc, char **argv)
{
    bool seeds = argc > 2 && strcmp(argv[1], "--seeds") == 0;
    bool counts = argc > 1 && isdigit((unsigned char)argv[1][0]);
    const char *from = seeds && argc > 3 ? argv[3] : counts && argc > 2 ? argv[2] : NULL;
    if (from && !corpus_read(from))
        return 1;
    if (seeds)
        return write_seeds(argv[2]);
    if (argc > 1 && strcmp(argv[1], "--pack") == 0)
        return each(pack, argv + 2);
    if (counts && argc > 3)
        seed_chance(strtoull(argv[3], NULL, 10));
    signal(SIGABRT, keep_input);
    signal(SIGSEGV, keep_input);
    if (argc > 1 && !counts)
        return each(run_file, argv + 1);
    printf("%zu inputs\n", run_mutations(counts ? strtoul(argv[1], NULL, 10) : 1000));
    return 0;
}

int main(int argc, char **argv)
{
    int status = run_task(argc, argv);
    corpus_drop();
    return status;
}
