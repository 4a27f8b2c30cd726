/* stage.h: the new content as a file that nobody can see yet.
 *
 * Where the file system can, it has no name at all (O_TMPFILE), so that a process that dies leaves
 * nothing behind. It is made with mode 0600 and gets the attributes of the file that it replaces
 * before it gets a name.
 */
#ifndef EM_WORKSPACE_STAGE_H
#define EM_WORKSPACE_STAGE_H

#include "system/names.h"
#include "workspace/workspace.h"

/* A file without a name in `dir`: *fd is the caller's. *fd is -1, and no error, where the file
 * system has no such files. */
em_status em_stage_unnamed(const em_sys *sys, int dir, mode_t mode, const char *path, int *fd,
                           em_error *err);

/* The same under a name that nothing has yet. */
em_status em_stage_named(em_entry entry, mode_t mode, int *fd, em_error *err);

/* What of the attributes could not be kept: bits of EM_NOTE_. */
typedef unsigned em_attribute_losses;

/* Give `to`, an empty or just written file of ours, the owner, the mode, the extended attributes
 * and the ACL of `from`, whose stat is `stat`. Attributes of users and ACLs are copied or it is an
 * error; so is the owner, unless `allow_owner_change`; what cannot be kept of security.* and
 * trusted.* is told in *losses. EM_E_PERMISSION: the owner cannot be kept. */
em_status em_stage_attributes(em_io_file to, int from, const em_stat *stat, bool allow_owner_change,
                              em_attribute_losses *losses, em_error *err);

/* A mark of the attributes of users and the ACL of a file, to see whether they have changed; in
 * whatever order they are listed. */
em_status em_stage_hash_attributes(em_io_file file, em_hash *hash, em_error *err);

/* Could a file made in `dir` be given to this owner and group? Tried on a file without a name,
 * which leaves no trace. *can is true also where it cannot be tried. */
em_status em_stage_can_own(const em_sys *sys, int dir, const em_stat *stat, const char *path,
                           bool *can, em_error *err);

/* That it could not, or not to the group alone. Gives EM_E_PERMISSION. */
em_status em_stage_fail_owner(bool group_alone, const char *path, em_error *err);

#endif
