#include "base/spare.h"
#include "sandbox/walls.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void tell(em_wall *wall, bool stands, bool can, const char *format, va_list args)
{
    wall->stands = stands;
    wall->can = can;
    vsnprintf(wall->why, sizeof wall->why, format, args);
}

void em_wall_missing(em_wall *wall, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    tell(wall, false, false, format, args);
    va_end(args);
}

void em_wall_there(em_wall *wall, bool stands, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    tell(wall, stands, true, format, args);
    va_end(args);
}

void em_sandbox_calls(const em_sandbox_kernel *kernel, bool network, em_sandbox_report *report)
{
    *report = (em_sandbox_report){.relaxed = em_relaxed_folder() != NULL};
    em_spare_let_go();
    int result = kernel->no_new_privileges(kernel->context);
    if (result < 0) { /* a setuid program could be started, so neither wall may be had */
        em_wall_missing(&report->files, "no_new_privs: %s", strerror(-result));
        em_wall_missing(&report->calls, "no_new_privs: %s", strerror(-result));
        return;
    }
    em_wall_calls(kernel, network, &report->calls);
    em_wall_files_version(kernel, &report->files);
}

void em_sandbox_files(const em_sandbox_kernel *kernel, const em_sandbox_policy *policy,
                      em_sandbox_report *report)
{
    em_spare_let_go();
    if (report->files.can)
        em_wall_files(kernel, policy, &report->files);
}

void em_sandbox_memory(const em_sandbox_kernel *kernel, uint64_t most)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    if (most == 0 && pages > 0 && size > 0)
        most = (uint64_t)pages * (uint64_t)size / 2;
    if (most > 0 && !em_relaxed_folder())
        kernel->limit_memory(kernel->context, most);
}
