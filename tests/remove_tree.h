/* remove_tree.h: a folder goes with all that is in it. (Thousands of tests do that at their end: a
 * shell and a program for each would take longer than they do.) */
#ifndef EMEND_TESTS_REMOVE_TREE_H
#define EMEND_TESTS_REMOVE_TREE_H

#include <errno.h>
#include <ftw.h>
#include <stdio.h>

static inline int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    (void)st;
    (void)kind;
    (void)at;
    return remove(path);
}

/* 0, also where it is not there; else -1. */
static inline int remove_tree(const char *folder)
{
    enum { OPEN_MOST = 16 };
    int gone = nftw(folder, remove_one, OPEN_MOST, FTW_DEPTH | FTW_PHYS);
    return gone == 0 || errno == ENOENT ? 0 : -1;
}

#endif
