#include "match/miss.h"

static const char *const names[] = {
    [EM_MISS_UNKNOWN] = "not_found",
    [EM_MISS_TABS] = "tabs_for_spaces",
    [EM_MISS_INDENTATION] = "indentation",
    [EM_MISS_BLANKS] = "whitespace",
    [EM_MISS_BLANK_LINES] = "blank_lines",
    [EM_MISS_LINE_ENDINGS] = "line_endings",
    [EM_MISS_LAST_BREAK] = "line_endings",
    [EM_MISS_LINE_BREAKS] = "line_breaks",
    [EM_MISS_QUOTES] = "quotes",
    [EM_MISS_CHARACTERS] = "characters",
    [EM_MISS_ENTITIES] = "entities",
    [EM_MISS_ESCAPES] = "escapes",
    [EM_MISS_UNESCAPED] = "escapes",
    [EM_MISS_LINE_NUMBERS] = "line_numbers",
    [EM_MISS_FENCE] = "code_fence",
    [EM_MISS_MARKERS] = "markers",
    [EM_MISS_PATCH] = "patch_signs",
    [EM_MISS_CHANGE] = "whole_change",
    [EM_MISS_CHANGES] = "whole_change",
    [EM_MISS_CASE] = "case",
    [EM_MISS_TYPO] = "typo",
    [EM_MISS_CUT] = "cut_line",
    [EM_MISS_COMMENT] = "missing_comment",
    [EM_MISS_ELIDED] = "elided",
    [EM_MISS_STALE] = "stale_text",
    [EM_MISS_SEVERAL_PLACES] = "ambiguous",
    [EM_MISS_ARTIFACT] = "wrapped_replacement",
    [EM_MISS_NUL] = "nul",
};

const char *em_miss_name(em_miss miss)
{
    return names[miss];
}
