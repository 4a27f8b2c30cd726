/* prescan_tag.c: tags, with the code in them: which elements are open, and what the parser errs
 * about. */
#include "html/prescan_impl.h"

#include "html/elements.h"
#include "html/foreign.h"
#include "html/tag.h"

/* ---- Code in a tag --------------------------------------------------------------------------- */

/* Where the code in a tag ends that is in doubt, or braces in the manner of JSX begin: for HTML
 * they are parts of attributes. */
static size_t doubt_in_tag(em_page_scanner *s, size_t at, em_tag_place place)
{
    em_slice bytes = s->scan->bytes;
    em_code_doubt doubt;
    char before = bytes.ptr[at - 1];
    bool begins = place == EM_TAG_BETWEEN ||
                  (place == EM_TAG_UNQUOTED && (before == '=' || em_html_space(before))) ||
                  (place != EM_TAG_NAME && before == '$');
    if (bytes.ptr[at] != '{' || place == EM_TAG_QUOTED)
        return at;
    if (em_code_doubtful(&s->reader, at, &doubt)) {
        em_prescan_note_doubt(s, doubt);
        if (doubt.masked)
            return doubt.end;
        begins = true;
    }
    if (begins)
        em_prescan_note_code(s, at, at + 1);
    return at;
}

/* A call that has no end leaves none for the tag. */
static size_t read_call(em_page_scanner *s, size_t at)
{
    size_t end = em_code_read_call(&s->reader, at);
    s->is_odd |= end == EM_NPOS;
    return end == EM_NPOS ? at : end;
}

/* Code in a tag: an em_tag_code. */
static size_t code_in_tag(void *context, size_t at, em_tag_place place, char quote)
{
    em_page_scanner *s = context;
    size_t end = em_code_read(&s->reader, at);
    if (end == at && place == EM_TAG_BETWEEN && em_is_one_of(s->scan->bytes.ptr[at], "@#"))
        end = read_call(s, at);
    if (end == at)
        end = doubt_in_tag(s, at, place);
    if (end == at)
        return at;
    if (place == EM_TAG_QUOTED) {
        em_prescan_mask(s, at, end, (char[]){quote, '&', '\0'});
        return end;
    }
    em_prescan_note_code(s, at, end);
    if (em_prescan_may_mask(s))
        memset(s->copy + at, place == EM_TAG_BETWEEN ? ' ' : EM_MASK, end - at);
    return end;
}

/* ---- Tags ------------------------------------------------------------------------------------ */

static size_t line_of(em_slice bytes, size_t at)
{
    size_t line = 1;
    for (size_t i = 0; i < at; i++)
        line += bytes.ptr[i] == '\n';
    return line;
}

static void note_start(em_page_scanner *s, em_slice name, unsigned kinds)
{
    if (kinds & EM_ELEMENT_FOREIGN && s->foreign == EM_NPOS)
        s->foreign = s->depth;
    s->open[s->depth++ % EM_OPEN_ROOM] = name;
    if (s->depth - s->forgotten > EM_OPEN_ROOM)
        s->forgotten++;
}

/* An end tag ends what is open by that name, and what is open within. */
static void note_end(em_page_scanner *s, em_slice name)
{
    size_t at = s->depth;
    while (at > s->forgotten && !em_same_in_any_case(s->open[(at - 1) % EM_OPEN_ROOM], name))
        at--;
    if (at == s->forgotten)
        return;
    s->depth = at - 1;
    if (s->foreign != EM_NPOS && s->foreign >= s->depth)
        s->foreign = EM_NPOS;
}

size_t em_prescan_skip_raw_text(em_page_scanner *s, size_t at, em_slice name)
{
    em_slice bytes = s->scan->bytes;
    size_t end = em_tag_raw_text_end(bytes, at, name);
    for (size_t i = at; i < end; i++) {
        if (bytes.ptr[i] != '<')
            continue;
        size_t to = em_code_read(&s->reader, i);
        if (to == i)
            continue;
        em_prescan_mask(s, i, to, "<");
        i = to - 1;
        if (to > end)
            end = em_tag_raw_text_end(bytes, to, name);
    }
    s->scan->open |= end == bytes.len;
    return end;
}

/* How many elements are open around the outermost of SVG or MathML, as far as they are known. */
static size_t around_foreign(const em_page_scanner *s)
{
    return s->foreign > s->forgotten ? s->foreign : s->forgotten;
}

/* Do elements of HTML stand in one of SVG or MathML that is open? */
static bool in_html_of_foreign(const em_page_scanner *s)
{
    for (size_t i = s->depth; i > around_foreign(s); i--)
        if (em_foreign_holds_html(s->open[(i - 1) % EM_OPEN_ROOM]))
            return true;
    return false;
}

static void leave_foreign(em_page_scanner *s)
{
    s->depth = around_foreign(s);
    s->foreign = EM_NPOS;
}

/* Of braces that are open at the first '>', HTML's tag ends there and that of JSX does not. Where
 * they are closed behind it is looked for once in the same bytes. */
static void check_braces(em_page_scanner *s, size_t codes, size_t end)
{
    const em_prescan *scan = s->scan;
    for (size_t i = codes, closed = 0; i < scan->code_count; i++) {
        size_t at = scan->code[i].start;
        if (scan->code[i].end > at + 1 || at < closed)
            continue;
        closed = em_code_closed(scan->bytes, at, end);
        if (closed != EM_NPOS)
            continue;
        em_code_doubt doubt = {.start = at, .end = end + 1};
        if (at >= s->braced) {
            closed = em_code_closed(scan->bytes, at, scan->bytes.len);
            s->braced = closed != EM_NPOS ? closed : at + EM_CODE_NEARBY;
            doubt.end = closed != EM_NPOS ? closed : doubt.end;
        }
        em_prescan_note_doubt(s, doubt);
        return;
    }
}

/* Of an end tag what the parser is not to see, or is to see before it. */
static void note_gaps(em_page_scanner *s, size_t at, const em_tag *tag)
{
    em_slice name = em_slice_sub(s->scan->bytes, tag->name.start, tag->name.end);
    em_range blanks = {tag->name.end, tag->end - 1};
    if (em_same_in_any_case(name, EM_LIT("form")))
        em_prescan_note_gap(s, (em_page_gap){{at, at}, .is_pause = true});
    if (blanks.start < blanks.end && (em_prescan_in_foreign(s) || s->foreign_part))
        em_prescan_note_gap(s, (em_page_gap){.range = blanks});
}

/* What kinds an element of the tag's name is of. The name is noted where it may need a stand-in. */
static unsigned meet_name(em_page_scanner *s, em_range range)
{
    em_slice page = s->scan->bytes, name = em_slice_sub(page, range.start, range.end);
    bool foreign = em_prescan_in_foreign(s) || s->foreign_part;
    size_t first = name.len > 0 ? (unsigned char)name.ptr[0] : 0;
    em_met_name *met = &s->met[(first + 8 * name.len) % EM_MET_ROOM];
    if (met->name.len > 0 && met->foreign == foreign && em_slice_eq(met->name, name))
        return met->kinds;
    size_t places = s->standins.place_count;
    unsigned kinds = em_element_kinds(name);
    if (em_standins_note(&s->standins, page, range, foreign, s->arena) != EM_OK)
        em_prescan_give_up(s, EM_E_NOMEM);
    if (s->standins.place_count == places) /* else each place of the name is to be noted */
        *met = (em_met_name){name, kinds, foreign};
    return kinds;
}

/* Of the tag from `start` to `end`. */
static void note_odd(em_page_scanner *s, size_t start, size_t end, bool by_name)
{
    em_prescan *scan = s->scan;
    if (!s->is_odd && !by_name)
        return;
    em_odd_tag *items =
        em_prescan_with_room(s, scan->odd, scan->odd_count, &s->odd_room, sizeof *items);
    if (items)
        (scan->odd = items)[scan->odd_count++] =
            em_odd_tag_of(scan->masked, start, end, !s->is_odd);
}

/* Is there a brace among the code noted since `codes` that is followed elsewhere (check_braces)? */
static bool has_brace(const em_prescan *scan, size_t codes)
{
    for (size_t i = codes; i < scan->code_count; i++)
        if (scan->code[i].end == scan->code[i].start + 1)
            return true;
    return false;
}

static void note_void_end(em_page_scanner *s, size_t at)
{
    em_prescan *scan = s->scan;
    if (em_prescan_in_foreign(s) || s->foreign_part)
        return;
    size_t *ends = em_prescan_with_room(s, scan->void_ends, scan->void_end_count, &s->void_end_room,
                                        sizeof *ends);
    if (ends)
        (scan->void_ends = ends)[scan->void_end_count++] = at;
}

/* Over the attributes of the tag at `at`; false where they are too many. */
static bool pass_attrs(em_page_scanner *s, size_t at, em_tag *tag)
{
    em_prescan *scan = s->scan;
    em_tag_attr attr;
    for (size_t attrs = 1; em_tag_next(tag, &attr); attrs++) {
        s->is_odd |= em_attr_is_odd(scan->masked, &attr);
        if (attrs > EM_MAX_TAG_ATTRS) {
            em_prescan_give_up(s, em_fail(s->err, EM_E_INVALID,
                                          "line %zu: a tag has more than %d attributes",
                                          line_of(scan->bytes, at), EM_MAX_TAG_ATTRS));
            return false;
        }
    }
    return true;
}

static void note_end_tag(em_page_scanner *s, size_t at, const em_tag *tag, unsigned kinds)
{
    em_slice name = em_slice_sub(s->scan->bytes, tag->name.start, tag->name.end);
    note_gaps(s, at, tag);
    s->scan->end_tags++;
    if (kinds & EM_ELEMENT_VOID && em_html_end_is_lost(name))
        note_void_end(s, at);
    note_end(s, name);
}

/* Behind the start tag, and the raw text that follows some. */
static size_t note_start_tag(em_page_scanner *s, const em_tag *tag, unsigned kinds)
{
    em_slice name = em_slice_sub(s->scan->bytes, tag->name.start, tag->name.end);
    s->scan->start_tags++;
    if (kinds & (EM_ELEMENT_RAW_TEXT | EM_ELEMENT_RCDATA) && !em_prescan_in_foreign(s))
        return em_prescan_skip_raw_text(s, tag->end, name);
    if (!tag->self_closing && !(kinds & (EM_ELEMENT_VOID | EM_ELEMENT_OPEN_END)))
        note_start(s, name, kinds);
    return tag->end;
}

size_t em_prescan_skip_tag(em_page_scanner *s, size_t at)
{
    em_prescan *scan = s->scan;
    size_t codes = scan->code_count;
    em_tag tag;
    bool is_end = scan->bytes.ptr[at + 1] == '/';
    s->is_odd = false;
    em_tag_open(&tag, scan->bytes, at, code_in_tag, s);
    if (!pass_attrs(s, at, &tag))
        return scan->bytes.len;
    if (tag.end == EM_NPOS) {
        scan->open = true;
        return scan->bytes.len;
    }
    check_braces(s, codes, tag.end);
    if (!is_end && !has_brace(scan, codes))
        note_odd(s, at, tag.end, em_name_is_odd(scan->masked, tag.name));
    if (em_prescan_in_foreign(s) && !is_end && em_foreign_ends_before(scan->bytes, at) &&
        !in_html_of_foreign(s))
        leave_foreign(s);
    unsigned kinds = meet_name(s, tag.name);
    if (!(kinds & EM_ELEMENT_AS_AROUND))
        s->no_text = kinds & (is_end ? EM_ELEMENT_NO_TEXT_AFTER : EM_ELEMENT_NO_TEXT_IN);
    s->in_table = s->no_text && kinds & EM_ELEMENT_OF_TABLE;
    s->prologue = EM_NPOS;
    if (!is_end)
        return note_start_tag(s, &tag, kinds);
    note_end_tag(s, at, &tag, kinds);
    return tag.end;
}
