#include "remarks/text_page.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

static bool has_ending(const char *path, const char *const *endings)
{
    const char *ending = strrchr(path, '.');
    for (; ending && *endings; endings++)
        if (strcasecmp(ending, *endings) == 0)
            return true;
    return false;
}

bool em_is_text_page(const char *path)
{
    static const char *const endings[] = {".md",  ".markdown", ".mdx",  ".qmd",
                                          ".rmd", ".rst",      ".adoc", NULL};
    return has_ending(path, endings);
}

bool em_has_bare_texts(const char *path)
{
    static const char *const endings[] = {".properties", ".ftl", ".lang", ".ini",
                                          ".srt",        ".txt", ".tex",  NULL};
    return has_ending(path, endings);
}
