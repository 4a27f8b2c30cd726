/* replay.c: runs a harness on its seeds and on mutations of them, the same every time.
 *
 *   NAME_replay COUNT          the seeds and COUNT mutated inputs
 *   NAME_replay --seeds DIR    writes the seeds as files, for libFuzzer to begin with
 *   NAME_replay FILE...        these inputs, to look at what a fuzzer found
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

static size_t below(size_t bound)
{
    chance ^= chance << 13;
    chance ^= chance >> 7;
    chance ^= chance << 17;
    return bound == 0 ? 0 : (size_t)(chance % bound);
}

static em_slice one_of(const em_slice *list)
{
    size_t count = 0;
    while (list[count].ptr)
        count++;
    return count == 0 ? (em_slice){0} : list[below(count)];
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
    case 5: /* a piece of another seed */
        other = one_of(em_fuzz_seeds);
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
    for (size_t i = 0; i < count; i++, done++) {
        if (i % 16 == 0) /* else go on from where the last mutation led */
            set_input(one_of(em_fuzz_seeds));
        for (size_t step = below(MOST_STEPS) + 1; step > 0; step--)
            mutate_once();
        run();
    }
    return done;
}

static int write_seeds(const char *folder)
{
    int number = 0;
    for (const em_slice *seed = em_fuzz_seeds; seed->ptr; seed++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/seed-%03d", folder, number++);
        FILE *file = fopen(path, "wb");
        if (!file || fwrite(seed->ptr, 1, seed->len, file) != seed->len || fclose(file) != 0) {
            perror(path);
            return 1;
        }
    }
    return 0;
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

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--seeds") == 0)
        return write_seeds(argv[2]);
    signal(SIGABRT, keep_input);
    signal(SIGSEGV, keep_input);
    if (argc > 1 && !isdigit((unsigned char)argv[1][0])) {
        int failed = 0;
        for (int i = 1; i < argc; i++)
            failed |= run_file(argv[i]);
        return failed;
    }
    size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
    printf("%zu inputs\n", run_mutations(count));
    return 0;
}
