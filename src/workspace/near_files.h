/* near_files.h: which files may be meant by a path that leads to none, or to a folder?
 *
 * Paths are missed in two ways, and both are looked for:
 *
 *  (1) the name has a slip: the folder is there, and holds a file with that name in another
 *      spelling, or with a letter or two that differ, or with another ending;
 *  (2) the way has: a file of that very name is in another folder. The more of the folders on the
 *      way are the same, the nearer it is.
 *
 * The path may be a URL, or have blanks around it, or backslashes, as Windows writes it, or be
 * written as git does, with octal numbers for bytes beyond ASCII.
 *
 * Of a folder it is those beside it whose names are like its own, and those in it.
 *
 * All roots are walked, the folders near the top first, through no link and onto no other file
 * system, and not into folders whose names begin with a dot, nor into node_modules. What a rule
 * keeps from being read is not told. The walk ends after a number of names, so that the same
 * tree gives the same answer; or after a second, where a folder is far away.
 */
#ifndef EM_WORKSPACE_NEAR_FILES_H
#define EM_WORKSPACE_NEAR_FILES_H

#include "workspace/workspace.h"

enum { EM_NEAR_FILES_MOST = 5 };

/* Nearest first. A path is relative where the one that was given is, and the file is in the first
 * root. */
typedef struct em_near_files {
    const char *paths[EM_NEAR_FILES_MOST];
    size_t count;
    bool more;         /* there are others as near as these, or nearly so */
    bool is_clear;     /* it is the first that is meant, as far as can be told */
    bool is_same_name; /* that is so, and it is its own name in other letters */
    bool is_late;      /* the walk took too long: another one would, too */
} em_near_files;

/* `path` is one that em_ws_open_file() said EM_E_NOT_FOUND, EM_E_OUTSIDE or EM_E_IS_FOLDER for.
 * What cannot be listed has nothing near. In `arena`. EM_E_NOMEM only. */
em_status em_ws_near_files(em_workspace *ws, const char *path, em_arena *arena, em_near_files *out);

/* Of a path to a file that is to be made: is it one as others write it? A URL ("file:///a%20b"),
 * or what begins with a drive ("C:/a") or with "~/", is nobody's name for a file, unless its folder
 * is there. One with backslashes is a legal one; but where it begins with a drive, or with slashes
 * leads into a folder that is there, nobody means a file of that name. *out has the path as it is
 * written here then, as the only one and clear, where it leads to a file in a folder that is there.
 * In `arena`. EM_E_NOMEM only. */
em_status em_ws_is_foreign_path(em_workspace *ws, const char *path, em_arena *arena, bool *is,
                                em_near_files *out);

#endif
