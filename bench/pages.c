/* pages.c: what fresh memory costs, by the kind of its pages.
 *
 *     pages [SECONDS]      default: 5
 *
 * Writes to each page of 64 MB that were just mapped, and prints milliseconds for each MB: after a
 * pause of so many seconds, in which a virtual machine may give free memory back to its host, and
 * at once after the same memory was given back. The least and the most of some rounds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14 */
#endif

enum { PAGE = 4096, HUGE = 2 << 20, MB = 64, SIZE = MB << 20, ROUNDS = 4 };

typedef struct page_kind {
    const char *name;
    int advice; /* of madvise(2) */
} page_kind;

static const page_kind kinds[] = {{"small pages", MADV_NOHUGEPAGE},
                                  {"small, all at once", MADV_POPULATE_WRITE},
                                  {"huge pages", MADV_HUGEPAGE}};

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static double ms_per_mb(const page_kind *kind)
{
    char *room =
        mmap(NULL, SIZE + HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) {
        perror("mmap");
        exit(1);
    }
    char *start = room + (HUGE - (size_t)room % HUGE);
    double began = now_ms();
    if (madvise(start, SIZE, kind->advice) != 0)
        perror(kind->name);
    for (size_t i = 0; i < SIZE; i += PAGE)
        ((volatile char *)start)[i] = 1;
    double took = now_ms() - began;
    munmap(room, SIZE + HUGE);
    return took / MB;
}

/* The least and the most of all rounds. */
typedef struct range {
    double least, most;
} range;

static void range_add(range *r, double value)
{
    if (value < r->least)
        r->least = value;
    if (value > r->most)
        r->most = value;
}

int main(int argc, char **argv)
{
    unsigned pause = argc > 1 ? (unsigned)atoi(argv[1]) : 5;
    printf("%-20s %16s %16s\n", "ms for each MB", "after a pause", "at once");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        range after = {1e9, 0}, again = after;
        for (int round = 0; round < ROUNDS; round++) {
            sleep(pause);
            range_add(&after, ms_per_mb(&kinds[i]));
            range_add(&again, ms_per_mb(&kinds[i]));
        }
        printf("%-20s %8.2f to %.2f %8.2f to %.2f\n", kinds[i].name, after.least, after.most,
               again.least, again.most);
    }
    return 0;
}
