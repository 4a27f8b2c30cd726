#include "diagnosis/patch_signs.h"

#include "base/line.h"
#include "base/strbuf.h"
#include "match/wrapping.h"
#include "text/text.h"

enum { NO_SIGN = '\0' };

/* A side of a patch. */
typedef struct side {
    char sign;      /* before its lines that the other one has not, */
    char other;     /* and before those that only that one has, or NO_SIGN */
    bool is_signed; /* each line that is not empty has one of these before it, or a blank */
    bool has_sign, has_stay; /* some line has `sign`, and some a blank */
    bool has_item;           /* a sign has one blank behind it, as one of a list has */
    bool is_indented;        /* and so has the blank of a line that stays */
    em_slice plain;          /* without all these, and without the lines of the other side */
    em_slice stays;          /* the lines that stay, and the empty ones */
} side;

/* The text behind the header of a hunk that it begins with. Without the line that says which lines
 * it is of, such a line may be one that goes (`--- a` for `-- a`). */
static em_slice behind_header(em_slice text)
{
    for (size_t at = 0; at < text.len;) {
        em_slice line = em_next_line(text, &at);
        if (em_slice_starts(line, EM_LIT("@@")))
            return em_slice_from(text, at);
        if (!em_is_patch_header(line))
            break;
    }
    return text;
}

/* Is there one blank before what the line says? */
static bool has_one_blank(em_slice line)
{
    return line.len > 1 && line.ptr[0] == ' ' && !em_is_white_space(line.ptr[1]);
}

/* What the first byte of a line that is not empty tells. */
static void read_sign(side *s, em_slice line)
{
    em_slice behind = em_slice_from(line, 1);
    bool goes = line.ptr[0] == s->sign, stays = line.ptr[0] == ' ';
    s->is_signed &= goes || stays || line.ptr[0] == s->other;
    s->has_sign |= goes;
    s->has_stay |= stays && em_trimmed(behind).len > 0;
    s->has_item |= goes && has_one_blank(behind);
    s->is_indented |= stays && has_one_blank(behind);
}

static em_status read_side(em_slice text, char sign, char other, em_arena *arena, side *s)
{
    EM_AUTO(em_strbuf) plain = {0};
    EM_AUTO(em_strbuf) stays = {0};
    *s = (side){.sign = sign, .other = other, .is_signed = true};
    for (size_t at = 0; at < text.len && s->is_signed;) {
        em_slice line = em_next_line(text, &at), content = em_line_content(line);
        char first = content.len > 0 ? content.ptr[0] : NO_SIGN;
        if (first != NO_SIGN)
            read_sign(s, line);
        if (first != NO_SIGN && first == other)
            continue;
        em_strbuf_add(&plain, em_slice_from(line, content.len > 0));
        if (first == sign)
            continue;
        em_strbuf_add(&stays, em_slice_from(content, content.len > 0));
        em_strbuf_add(&stays, EM_LIT("\n"));
    }
    EM_TRY(em_strbuf_keep(&stays, arena, &s->stays));
    return em_strbuf_keep(&plain, arena, &s->plain);
}

/* Where lines only come, or only go, the lines that stay are all that tells of a patch. */
static bool are_sides(const side *find, const side *insert)
{
    if (!find->is_signed || !insert->is_signed)
        return false;
    if (find->has_sign && insert->has_sign)
        return true;
    return find->has_sign != insert->has_sign && find->has_stay &&
           em_slice_eq(find->stays, insert->stays) &&
           ((!find->has_item && !insert->has_item) || find->is_indented);
}

/* Both sides of lines that have all of a patch. */
static em_status read_both(em_slice lines, em_arena *arena, side *before, side *after)
{
    EM_TRY(read_side(lines, '-', '+', arena, before));
    return read_side(lines, '+', '-', arena, after);
}

em_status em_patch_sides(em_slice lines, em_arena *arena, em_near_miss *sides, bool *is)
{
    side before, after;
    EM_TRY(read_both(lines, arena, &before, &after));
    *sides = (em_near_miss){before.plain, after.plain};
    *is =
        after.is_signed && (before.has_sign || after.has_sign) && em_trimmed(before.plain).len > 0;
    return EM_OK;
}

/* All of a patch for a search text, and what it makes, as it is, for the replacement. Its last line
 * may be one of the other side: then both sides end as the patch does. */
static em_status read_whole(em_slice find, em_slice insert, em_arena *arena, em_near_miss *mended,
                            bool *is)
{
    side before, after;
    EM_TRY(read_both(find, arena, &before, &after));
    *mended = (em_near_miss){before.plain, after.plain};
    if (!em_ends_in_eol(find)) {
        mended->find = em_without_last_eol(mended->find);
        mended->insert = em_without_last_eol(mended->insert);
    }
    *is = after.is_signed && after.has_sign && em_trimmed(mended->find).len > 0 &&
          em_slice_eq(em_without_last_eol(mended->insert), em_without_last_eol(insert));
    return EM_OK;
}

em_status em_patch_signs_of(em_slice find, em_slice insert, em_arena *arena, em_near_miss *mended,
                            bool *is)
{
    side before, after;
    find = behind_header(find);
    insert = behind_header(insert);
    EM_TRY(read_side(find, '-', NO_SIGN, arena, &before));
    EM_TRY(read_side(insert, '+', NO_SIGN, arena, &after));
    *mended = (em_near_miss){before.plain, after.plain};
    *is = are_sides(&before, &after);
    return *is ? EM_OK : read_whole(find, insert, arena, mended, is);
}
