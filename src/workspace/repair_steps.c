#include "workspace/repair_steps.h"

#include "system/sys_io.h"

em_status em_repair_open_folders(const em_repair *r, int *fd)
{
    const char *way = r->row->folders ? r->row->folders : ".";
    *fd = EM_SYS_RETRY(r->ws->sys, open, r->dir, way, O_PATH | O_DIRECTORY, 0,
                       EM_RESOLVE_BENEATH | EM_RESOLVE_NO_SYMLINKS | EM_RESOLVE_NO_MAGIC);
    if (*fd == -ENOENT || *fd == -ENOTDIR || *fd == -ELOOP) {
        *fd = -1;
        return EM_OK;
    }
    return *fd < 0 ? em_io_fail(r->err, *fd, "open the folder of", r->path) : EM_OK;
}

em_status em_repair_remove_stray(const em_repair *r)
{
    return em_name_remove(em_repair_entry(r, r->dir, r->row->temp), r->err);
}
