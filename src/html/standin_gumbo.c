/* standin_gumbo.c: what gumbo does not know, and which of its names do the same. */
#include "html/standin.h"

#include "base/ascii.h"

#include <gumbo.h>

_Static_assert(GUMBO_TAG_LAST < sizeof((em_standins *)0)->used, "every tag has a number");

typedef enum em_standin_kind {
    KIND_NONE,    /* gumbo has it as HTML has it */
    KIND_PHRASE,  /* without any rules; also <isindex>, of which gumbo makes a form */
    KIND_SECTION, /* closes a <p>, and no end tag in it closes what is around it */
    KIND_DIALOG,  /* closes a <p> alone: as gumbo has <main> */
} em_standin_kind;

/* Without any rules, in gumbo as in HTML, also among elements of SVG; the longest first. */
static const char *const phrases[] = {
    "progress", "acronym", "output", "canvas", "audio", "video", "label", "meter",
    "abbr",     "cite",    "data",   "mark",   "samp",  "time",  "bdi",   "bdo",
    "del",      "dfn",     "ins",    "kbd",    "map",   "q",     NULL,
};
static const char *const sections[] = {"hgroup", "center", "aside", "dir", "nav", NULL};
static const char *const dialogs[] = {"main", NULL};

static const char *const *const by_kind[] = {
    [KIND_PHRASE] = phrases, [KIND_SECTION] = sections, [KIND_DIALOG] = dialogs};

static GumboTag number_of(em_slice name)
{
    return gumbo_tagn_enum(name.ptr, (unsigned int)name.len);
}

static em_standin_kind kind_of(em_slice name, GumboTag number, bool foreign)
{
    if (foreign)
        return number == GUMBO_TAG_UNKNOWN && em_slice_has_byte(name, '-') ? KIND_PHRASE
                                                                           : KIND_NONE;
    if (number == GUMBO_TAG_MAIN || em_same_in_any_case(name, EM_LIT("search")))
        return KIND_SECTION;
    if (em_same_in_any_case(name, EM_LIT("dialog")))
        return KIND_DIALOG;
    return number == GUMBO_TAG_UNKNOWN || number == GUMBO_TAG_ISINDEX ? KIND_PHRASE : KIND_NONE;
}

/* Is it letters and the like, and not the code of a template? */
static bool is_plain(em_slice name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!em_is_letter(name.ptr[i]) && !em_is_one_of(name.ptr[i], "0123456789-_.:"))
            return false;
    return true;
}

/* Its place among the names, or that of a new one; EM_STANDIN_NAMES where there are too many. */
static size_t place_of(em_standins *standins, em_slice name, em_standin_kind kind)
{
    size_t i = 0;
    while (i < standins->name_count && !em_same_in_any_case(standins->names[i].name, name))
        i++;
    if (i == standins->name_count && i < EM_STANDIN_NAMES)
        standins->names[standins->name_count++] = (em_standin){name, (unsigned char)kind, NULL};
    return i;
}

em_status em_standins_note(em_standins *standins, em_slice page, em_range name, bool foreign,
                           em_arena *arena)
{
    em_slice text = em_slice_sub(page, name.start, name.end);
    GumboTag number = number_of(text);
    em_standin_kind kind = kind_of(text, number, foreign);
    if (kind == KIND_NONE)
        standins->used[number] = true;
    if (kind == KIND_NONE || !is_plain(text))
        return EM_OK;
    size_t which = place_of(standins, text, kind);
    if (which == EM_STANDIN_NAMES)
        return EM_OK;
    void *places = standins->places;
    EM_TRY(em_arena_grow(arena, &places, standins->place_count, &standins->room,
                         sizeof *standins->places));
    standins->places = places;
    standins->places[standins->place_count++] = (em_standin_place){name, (unsigned char)which};
    return EM_OK;
}

static void choose(em_standins *standins, em_standin *name)
{
    const char *const *list = by_kind[name->kind];
    for (size_t i = 0; list[i] && !name->by; i++) {
        em_slice by = em_slice_of(list[i]);
        GumboTag number = number_of(by);
        if (by.len > name->name.len || standins->used[number])
            continue;
        standins->used[number] = true;
        name->by = list[i];
    }
    if (!name->by) /* it stays what it is */
        standins->used[number_of(name->name)] = true;
}

/* <dialog> may have to wait for <main> to make room. */
bool em_standins_choose(em_standins *standins)
{
    bool any = false;
    for (int last = 0; last <= 1; last++)
        for (size_t i = 0; i < standins->name_count; i++) {
            em_standin *name = &standins->names[i];
            if ((name->kind == KIND_DIALOG) != (last == 1))
                continue;
            choose(standins, name);
            any |= name->by != NULL;
        }
    return any;
}

void em_standins_write(const em_standins *standins, char *copy)
{
    for (size_t i = 0; i < standins->place_count; i++) {
        em_range at = standins->places[i].at;
        const char *by = standins->names[standins->places[i].which].by;
        if (!by)
            continue;
        size_t length = strlen(by);
        memcpy(copy + at.start, by, length);
        memset(copy + at.start + length, ' ', at.end - at.start - length);
    }
}
