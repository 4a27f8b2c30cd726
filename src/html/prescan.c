/* prescan.c: one pass over the bytes of a page: limits, what is code of templates, and the copy in
 * which that is masked. */
#include "html/prescan.h"

#include "html/code.h"
#include "html/doctype.h"
#include "html/elements.h"
#include "html/foreign.h"
#include "html/pairs.h"
#include "html/preamble.h"
#include "html/standin.h"
#include "html/tag.h"

/* How many open elements are known by name, the innermost ones: old pages leave any number of <a>
 * open. */
enum { OPEN_ROOM = 1024 };

/* Blocks of Razor that are followed in each other. */
enum { RAZOR_ROOM = 64 };

/* A tag's name that was met. A page has many tags, and few names. */
enum { MET_ROOM = 64 };
typedef struct em_met_name {
    em_slice name;
    unsigned kinds;
    bool foreign; /* of a tag that may be in SVG or MathML */
} em_met_name;

typedef struct em_page_scanner {
    em_prescan *scan;
    em_arena *arena;
    em_error *err;
    char *copy; /* the masked page; NULL: nothing is masked yet */
    em_status status;
    em_code_reader reader;
    size_t code_room, piece_room, doubt_room, gap_room, odd_room, void_end_room;
    bool is_odd;               /* the tag that is read */
    size_t blocks[RAZOR_ROOM]; /* of Razor that are open: in how many braces that are none */
    size_t block_count, curly; /* `curly`: such braces that are open */
    em_directives directives;  /* by their numbers among the pieces */
    size_t braced;             /* to where the braces of a tag before were followed */
    size_t less, brace;        /* the next '<' and '{', as far as they were looked for */
    size_t razor;              /* and the next "@*" */
    size_t prologue;   /* to here a page has but blanks and comments; EM_NPOS: that is over */
    size_t head;       /* what comes behind that, where it was looked for and is not in the body */
    bool no_text;      /* the last tag was one behind which text has no place, */
    bool in_table;     /* since it stands between the parts of a table */
    size_t depth;      /* elements open, of those whose end tag must be there */
    size_t forgotten;  /* how many of these, the outermost, have no name in `open` any more */
    bool foreign_part; /* the bytes are to stand among elements of SVG or MathML */
    size_t foreign;    /* within how many the outermost <svg> or <math> stands; EM_NPOS: none */
    em_standins standins;
    em_met_name met[MET_ROOM]; /* each at one place alone, so the last of those that share it */
    em_slice open[OPEN_ROOM];  /* the names, each at its depth modulo OPEN_ROOM */
} em_page_scanner;

/* ---- Masks ----------------------------------------------------------------------------------- */

static void give_up(em_page_scanner *s, em_status status)
{
    if (s->status == EM_OK)
        s->status = status;
}

static bool may_mask(em_page_scanner *s)
{
    em_prescan *scan = s->scan;
    if (!s->copy) {
        s->copy = em_arena_string(s->arena, scan->bytes);
        if (!s->copy)
            give_up(s, EM_E_NOMEM);
        else
            scan->masked.ptr = s->copy;
    }
    return s->copy != NULL;
}

/* Each of these bytes in [start, end). */
static void mask_bytes(em_page_scanner *s, size_t start, size_t end, const char *which)
{
    for (size_t i = start; i < end; i++)
        if (strchr(which, s->scan->bytes.ptr[i]) && may_mask(s))
            s->copy[i] = EM_MASK;
}

/* Each '<' in [start, end) that would begin something. */
static void mask_openings(em_page_scanner *s, size_t start, size_t end)
{
    em_slice bytes = s->scan->bytes;
    for (size_t i = start; i + 1 < end; i++) {
        char after = bytes.ptr[i + 1];
        bool opens = em_is_letter(after) || after == '/' || after == '!' || after == '?';
        if (bytes.ptr[i] == '<' && opens && may_mask(s))
            s->copy[i] = EM_MASK;
    }
}

enum { LEAST_COMMENT = 4 /* bytes: "<!", something, and '>' */ };

/* As such a one. Code is at least as long, but PHP that never ends. */
static void mask_as_comment(em_page_scanner *s, size_t start, size_t end)
{
    if (!may_mask(s))
        return;
    mask_bytes(s, start, end, "<>");
    s->copy[start] = '<';
    s->copy[start + 1] = '!';
    s->copy[start + 2] = EM_MASK;
    s->copy[end - 1] = '>';
}

/* The list with room for one more; NULL: there is no memory. */
static void *with_room(em_page_scanner *s, void *items, size_t count, size_t *room, size_t size)
{
    em_status status = em_arena_grow(s->arena, &items, count, room, size);
    if (status != EM_OK)
        give_up(s, status);
    return status == EM_OK ? items : NULL;
}

static void note_range(em_page_scanner *s, em_range **list, size_t *count, size_t *room,
                       em_range range)
{
    em_range *items = with_room(s, *list, *count, room, sizeof range);
    if (items)
        (*list = items)[(*count)++] = range;
}

static void note_code(em_page_scanner *s, size_t start, size_t end)
{
    em_prescan *scan = s->scan;
    note_range(s, &scan->code, &scan->code_count, &s->code_room, (em_range){start, end});
}

static void note_piece(em_page_scanner *s, size_t start, size_t end)
{
    em_prescan *scan = s->scan;
    note_range(s, &scan->pieces, &scan->piece_count, &s->piece_room, (em_range){start, end});
}

static void note_gap(em_page_scanner *s, em_page_gap gap)
{
    em_prescan *scan = s->scan;
    em_page_gap *items = with_room(s, scan->gaps, scan->gap_count, &s->gap_room, sizeof gap);
    if (items)
        (scan->gaps = items)[scan->gap_count++] = gap;
}

static void note_doubt(em_page_scanner *s, em_code_doubt doubt)
{
    em_prescan *scan = s->scan;
    em_code_doubt *items =
        with_room(s, scan->doubts, scan->doubt_count, &s->doubt_room, sizeof doubt);
    if (items)
        (scan->doubts = items)[scan->doubt_count++] = doubt;
}

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
        note_doubt(s, doubt);
        if (doubt.masked)
            return doubt.end;
        begins = true;
    }
    if (begins)
        note_code(s, at, at + 1);
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
        mask_bytes(s, at, end, (char[]){quote, '&', '\0'});
        return end;
    }
    note_code(s, at, end);
    if (may_mask(s))
        memset(s->copy + at, place == EM_TAG_BETWEEN ? ' ' : EM_MASK, end - at);
    return end;
}

em_status em_prescan_restore(const em_prescan *scan, em_range raw, em_slice text, em_arena *arena,
                             em_slice *restored)
{
    *restored = text;
    if (scan->masked.ptr == scan->bytes.ptr || !em_slice_has_byte(text, EM_MASK))
        return EM_OK;
    char *copy = em_arena_string(arena, text);
    if (!copy)
        return EM_E_NOMEM;
    size_t from = raw.start;
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] != EM_MASK)
            continue;
        while (from < raw.end && scan->masked.ptr[from] != EM_MASK)
            from++;
        if (from < raw.end)
            copy[i] = scan->bytes.ptr[from++];
    }
    *restored = em_slice_make(copy, text.len);
    return EM_OK;
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
    s->open[s->depth++ % OPEN_ROOM] = name;
    if (s->depth - s->forgotten > OPEN_ROOM)
        s->forgotten++;
}

/* An end tag ends what is open by that name, and what is open within. */
static void note_end(em_page_scanner *s, em_slice name)
{
    size_t at = s->depth;
    while (at > s->forgotten && !em_same_in_any_case(s->open[(at - 1) % OPEN_ROOM], name))
        at--;
    if (at == s->forgotten)
        return;
    s->depth = at - 1;
    if (s->foreign != EM_NPOS && s->foreign >= s->depth)
        s->foreign = EM_NPOS;
}

/* Over raw text, with what code it has: only the kinds that no program has by itself. */
static size_t skip_raw_text(em_page_scanner *s, size_t at, em_slice name)
{
    em_slice bytes = s->scan->bytes;
    size_t end = em_tag_raw_text_end(bytes, at, name);
    for (size_t i = at; i < end; i++) {
        if (bytes.ptr[i] != '<')
            continue;
        size_t to = em_code_read(&s->reader, i);
        if (to == i)
            continue;
        mask_bytes(s, i, to, "<");
        i = to - 1;
        if (to > end)
            end = em_tag_raw_text_end(bytes, to, name);
    }
    s->scan->open |= end == bytes.len;
    return end;
}

/* Among elements of SVG or MathML, whose <title> and <style> hold markup? */
static bool in_foreign(const em_page_scanner *s)
{
    return s->foreign != EM_NPOS;
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
        if (em_foreign_holds_html(s->open[(i - 1) % OPEN_ROOM]))
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
        note_doubt(s, doubt);
        return;
    }
}

/* Of an end tag what the parser is not to see, or is to see before it. */
static void note_gaps(em_page_scanner *s, size_t at, const em_tag *tag)
{
    em_slice name = em_slice_sub(s->scan->bytes, tag->name.start, tag->name.end);
    em_range blanks = {tag->name.end, tag->end - 1};
    if (em_same_in_any_case(name, EM_LIT("form")))
        note_gap(s, (em_page_gap){{at, at}, .is_pause = true});
    if (blanks.start < blanks.end && (in_foreign(s) || s->foreign_part))
        note_gap(s, (em_page_gap){.range = blanks});
}

/* What kinds an element of the tag's name is of. The name is noted where it may need a stand-in. */
static unsigned meet_name(em_page_scanner *s, em_range range)
{
    em_slice page = s->scan->bytes, name = em_slice_sub(page, range.start, range.end);
    bool foreign = in_foreign(s) || s->foreign_part;
    size_t first = name.len > 0 ? (unsigned char)name.ptr[0] : 0;
    em_met_name *met = &s->met[(first + 8 * name.len) % MET_ROOM];
    if (met->name.len > 0 && met->foreign == foreign && em_slice_eq(met->name, name))
        return met->kinds;
    size_t places = s->standins.place_count;
    unsigned kinds = em_element_kinds(name);
    if (em_standins_note(&s->standins, page, range, foreign, s->arena) != EM_OK)
        give_up(s, EM_E_NOMEM);
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
    em_odd_tag *items = with_room(s, scan->odd, scan->odd_count, &s->odd_room, sizeof *items);
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
    if (in_foreign(s) || s->foreign_part)
        return;
    size_t *ends =
        with_room(s, scan->void_ends, scan->void_end_count, &s->void_end_room, sizeof *ends);
    if (ends)
        (scan->void_ends = ends)[scan->void_end_count++] = at;
}

static size_t skip_tag(em_page_scanner *s, size_t at)
{
    em_prescan *scan = s->scan;
    size_t codes = scan->code_count;
    em_tag tag;
    em_tag_attr attr;
    bool end = scan->bytes.ptr[at + 1] == '/';
    s->is_odd = false;
    em_tag_open(&tag, scan->bytes, at, code_in_tag, s);
    for (size_t attrs = 1; em_tag_next(&tag, &attr); attrs++) {
        s->is_odd |= em_attr_is_odd(scan->masked, &attr);
        if (attrs > EM_MAX_TAG_ATTRS) {
            give_up(s, em_fail(s->err, EM_E_INVALID, "line %zu: a tag has more than %d attributes",
                               line_of(scan->bytes, at), EM_MAX_TAG_ATTRS));
            return scan->bytes.len;
        }
    }
    if (tag.end == EM_NPOS) {
        scan->open = true;
        return scan->bytes.len;
    }
    check_braces(s, codes, tag.end);
    if (!end && !has_brace(scan, codes))
        note_odd(s, at, tag.end, em_name_is_odd(scan->masked, tag.name));
    em_slice name = em_slice_sub(scan->bytes, tag.name.start, tag.name.end);
    if (in_foreign(s) && !end && em_foreign_ends_before(scan->bytes, at) && !in_html_of_foreign(s))
        leave_foreign(s);
    unsigned kinds = meet_name(s, tag.name);
    s->no_text = kinds & (end ? EM_ELEMENT_NO_TEXT_AFTER : EM_ELEMENT_NO_TEXT_IN);
    s->in_table = s->no_text && kinds & EM_ELEMENT_OF_TABLE;
    s->prologue = EM_NPOS;
    if (end) {
        note_gaps(s, at, &tag);
        scan->end_tags++;
        if (kinds & EM_ELEMENT_VOID && em_html_end_is_lost(name))
            note_void_end(s, at);
        note_end(s, name);
        return tag.end;
    }
    scan->start_tags++;
    if (kinds & (EM_ELEMENT_RAW_TEXT | EM_ELEMENT_RCDATA) && !in_foreign(s))
        return skip_raw_text(s, tag.end, name);
    if (!tag.self_closing && !(kinds & (EM_ELEMENT_VOID | EM_ELEMENT_OPEN_END)))
        note_start(s, name, kinds);
    return tag.end;
}

/* ---- Everything else ------------------------------------------------------------------------- */

static size_t skip_to(em_page_scanner *s, size_t from, em_slice closing)
{
    em_slice bytes = s->scan->bytes;
    const char *found = from > bytes.len
                            ? NULL
                            : memmem(bytes.ptr + from, bytes.len - from, closing.ptr, closing.len);
    s->scan->open |= !found;
    return found ? (size_t)(found - bytes.ptr) + closing.len : bytes.len;
}

static size_t skip_comment(em_page_scanner *s, size_t at)
{
    size_t end = em_tag_comment_end(s->scan->bytes, at);
    s->scan->open |= end == EM_NPOS;
    return end == EM_NPOS ? s->scan->bytes.len : end;
}

/* Behind the blanks, comments and code that stand at `at`. */
static size_t skip_prologue(em_page_scanner *s, size_t at)
{
    em_slice bytes = s->scan->bytes;
    for (size_t next; at < bytes.len; at = next) {
        if (em_html_space(bytes.ptr[at]))
            next = at + 1;
        else if (em_slice_starts(em_slice_from(bytes, at), EM_LIT("<!--")))
            next = skip_comment(s, at);
        else
            next = em_code_read(&s->reader, at);
        if (next == at)
            break;
    }
    return at;
}

/* Does the body begin with the code that ends at `at`, as HTML would have it, or has the page
 * something behind it that comes before the body? */
static bool begins_body(em_page_scanner *s, size_t at)
{
    em_slice bytes = s->scan->bytes;
    em_tag tag;
    if (at <= s->head)
        return false;
    size_t next = skip_prologue(s, at);
    bool body = next == bytes.len || bytes.ptr[next] != '<';
    if (!body && em_tag_starts(bytes, next)) {
        em_tag_open(&tag, bytes, next, NULL, NULL);
        em_slice name = em_slice_sub(bytes, tag.name.start, tag.name.end);
        body = !(em_element_kinds(name) & EM_ELEMENT_BEFORE_BODY);
    }
    s->head = body ? 0 : next;
    return body;
}

/* Code in text: masked where a parser must not see it, be it all of it or what looks like a tag. */
static size_t skip_code(em_page_scanner *s, size_t at, size_t end)
{
    note_piece(s, at, end);
    if (s->prologue != EM_NPOS && s->scan->bytes.ptr[at] != '<' && begins_body(s, end)) {
        s->prologue = EM_NPOS;
        s->no_text = false;
    }
    if (s->scan->bytes.ptr[at] == '<' || s->no_text)
        mask_as_comment(s, at, end);
    else
        mask_openings(s, at, end);
    return end;
}

/* The parser takes many doctypes for others than they are; in the masked page they are such as it
 * knows for what they mean. */
static void mask_doctype(em_page_scanner *s, size_t at, size_t end)
{
    size_t from = at + EM_DOCTYPE_KEYWORD;
    em_doctype doctype = em_doctype_read(em_slice_sub(s->scan->bytes, from, end));
    if (doctype.plain || !may_mask(s))
        return;
    if (doctype.quirks)
        s->copy[from + doctype.name.start] = EM_MASK;
    memset(s->copy + from + doctype.name.end, ' ', end - from - doctype.name.end);
}

/* One that stands before everything else counts. */
static size_t skip_doctype(em_page_scanner *s, size_t at)
{
    size_t end = skip_to(s, at, EM_LIT(">"));
    s->scan->has_doctype = true;
    if (s->prologue != EM_NPOS && !s->scan->open)
        mask_doctype(s, at, end - 1);
    s->prologue = EM_NPOS;
    return end;
}

/* Directly in a fragment the parser takes CDATA for a comment that ends with the first '>': it is
 * to end where it does. */
static size_t skip_cdata(em_page_scanner *s, size_t at)
{
    size_t end = skip_to(s, at, EM_LIT("]]>"));
    if (s->foreign_part && s->depth == 0 && !s->scan->open)
        mask_bytes(s, at, end - 1, ">");
    return end;
}

/* Over "</>", as often as it stands there. The parser has a tag behind it begin with it. */
static size_t skip_no_tags(em_page_scanner *s, size_t at)
{
    em_slice bytes = s->scan->bytes;
    size_t end = at;
    while (em_slice_starts(em_slice_from(bytes, end), EM_NO_TAG))
        end += EM_NO_TAG.len;
    bool before_tag = em_tag_starts(bytes, end) || em_tag_ends(bytes, end);
    for (; before_tag && at < end; at += EM_NO_TAG.len)
        note_gap(s, (em_page_gap){{at, at + EM_NO_TAG.len}, .is_pause = true});
    return end;
}

/* From a '<', '{' or '@' in text that begins neither a tag nor code. */
static size_t skip_declaration(em_page_scanner *s, size_t at)
{
    em_slice bytes = s->scan->bytes, rest = em_slice_from(bytes, at);
    if (em_slice_starts(rest, EM_LIT("<!--")))
        return skip_comment(s, at);
    if (em_slice_starts(rest, EM_CDATA) && (in_foreign(s) || s->foreign_part))
        return skip_cdata(s, at);
    if (em_doctype_starts(bytes, at))
        return skip_doctype(s, at);
    if (em_slice_starts(rest, EM_NO_TAG))
        return skip_no_tags(s, at);
    if (em_slice_starts(rest, EM_LIT("<!")) || em_slice_starts(rest, EM_LIT("<?")) ||
        em_slice_starts(rest, EM_LIT("</")))
        return skip_to(s, at + 2, EM_LIT(">"));
    s->prologue = EM_NPOS;
    return at + 1;
}

/* ---- Directives ------------------------------------------------------------------------------ */

/* Is the '}' in text the end of a block of Razor? */
static bool closes_block(em_page_scanner *s)
{
    if (s->block_count == 0)
        return false;
    bool closes = s->curly == s->blocks[s->block_count - 1];
    s->curly -= !closes;
    return closes;
}

static void note_directive(em_page_scanner *s, em_range range, const em_directive *directive)
{
    if (em_directives_note(&s->directives, directive, s->scan->piece_count, s->in_table,
                           s->arena) != EM_OK)
        give_up(s, EM_E_NOMEM);
    if (em_code_read(&s->reader, range.start) == range.end) {
        skip_code(s, range.start, range.end);
    } else {
        note_piece(s, range.start, range.end);
        mask_openings(s, range.start + 1, range.end);
    }
    if (directive->kind != EM_DIRECTIVE_RAZOR)
        return;
    if (directive->role == EM_DIRECTIVE_BEGINS && s->block_count < RAZOR_ROOM)
        s->blocks[s->block_count++] = s->curly;
    s->block_count -= directive->role == EM_DIRECTIVE_ENDS;
}

/* Note the directive at `at`, if there is one; where it ends, or `at`. */
static size_t pass_directive(em_page_scanner *s, size_t at)
{
    em_directive directive;
    char sign = s->scan->bytes.ptr[at];
    if (sign == '}' && !closes_block(s))
        return at;
    size_t end = em_directive_read(&s->reader, at, &directive);
    if (end > at)
        note_directive(s, (em_range){at, end}, &directive);
    return end;
}

/* Note those in the text of [at, end); the last can go on behind that. */
static size_t pass_directives(em_page_scanner *s, size_t at, size_t end)
{
    em_slice bytes = s->scan->bytes;
    while (at < end) {
        char byte = bytes.ptr[at];
        size_t to = em_is_one_of(byte, "@#}[") ? pass_directive(s, at) : at;
        at = to > at ? to : at + 1;
    }
    return at;
}

/* Text would be moved out of the table. */
static void mask_in_table(em_page_scanner *s, em_range directive)
{
    size_t length = directive.end - directive.start;
    if (length >= LEAST_COMMENT)
        mask_as_comment(s, directive.start, directive.end);
    else if (may_mask(s))
        memset(s->copy + directive.start, ' ', length);
}

/* Those that belong together stay among the pieces. One in a part may belong to one of the page. */
static void drop_unpaired(em_page_scanner *s, bool is_part)
{
    em_prescan *scan = s->scan;
    const em_directives *directives = &s->directives;
    size_t kept = 0, next = 0;
    em_directives_pair(&s->directives);
    scan->directed = is_part && directives->count > 0;
    for (size_t i = 0; i < scan->piece_count; i++) {
        bool is_one = next < directives->count && directives->items[next].number == i;
        bool counts = is_one && directives->items[next].counts;
        if (counts && directives->items[next].is_tabled)
            mask_in_table(s, scan->pieces[i]);
        next += is_one;
        scan->directed |= counts;
        if (counts || !is_one)
            scan->pieces[kept++] = scan->pieces[i];
    }
    scan->piece_count = kept;
}

static size_t skip_markup(em_page_scanner *s, size_t at)
{
    em_slice bytes = s->scan->bytes;
    if (em_tag_starts(bytes, at) || em_tag_ends(bytes, at))
        return skip_tag(s, at);
    em_code_doubt doubt;
    size_t end = bytes.ptr[at] == '@' ? at : pass_directive(s, at);
    if (end > at) {
        bool is_comment = bytes.ptr[at] == '<' && bytes.ptr[at + 1] == '/';
        s->prologue = is_comment ? s->prologue : EM_NPOS;
        return end;
    }
    end = em_code_read(&s->reader, at);
    if (end > at)
        return skip_code(s, at, end);
    s->curly += bytes.ptr[at] == '{' && s->block_count > 0;
    if (!em_code_doubtful(&s->reader, at, &doubt))
        return skip_declaration(s, at);
    note_doubt(s, doubt);
    if (!doubt.masked)
        return skip_declaration(s, at);
    return skip_code(s, at, doubt.end);
}

static size_t next_byte(em_slice bytes, size_t at, char wanted)
{
    const char *found = at < bytes.len ? memchr(bytes.ptr + at, wanted, bytes.len - at) : NULL;
    return found ? (size_t)(found - bytes.ptr) : bytes.len;
}

static size_t next_razor(em_slice bytes, size_t at)
{
    at = next_byte(bytes, at, '@');
    while (at < bytes.len && !em_slice_starts(em_slice_from(bytes, at), EM_LIT("@*")))
        at = next_byte(bytes, at + 1, '@');
    return at;
}

/* Where the next '<', '{' or "@*" is. Each of them is looked for once. */
static size_t next_markup(em_page_scanner *s, size_t at)
{
    em_slice bytes = s->scan->bytes;
    if (s->less < at)
        s->less = next_byte(bytes, at, '<');
    if (s->brace < at)
        s->brace = next_byte(bytes, at, '{');
    if (s->razor < at)
        s->razor = next_razor(bytes, at);
    size_t end = s->less < s->brace ? s->less : s->brace;
    return s->razor < end ? s->razor : end;
}

static size_t skip_text(em_page_scanner *s, size_t at)
{
    em_slice bytes = s->scan->bytes;
    size_t end, from = at;
    do {
        end = next_markup(s, from);
        from = pass_directives(s, from, end);
    } while (from > end);
    for (; s->prologue < end; s->prologue++)
        if (!em_html_space(bytes.ptr[s->prologue])) {
            s->prologue = EM_NPOS;
            s->no_text = false;
            break;
        }
    return end;
}

/* Where the first tag of the page may stand. */
static size_t skip_preamble(em_page_scanner *s)
{
    em_range text = em_preamble_find(&s->reader, s->scan->start);
    if (text.end - text.start < LEAST_COMMENT)
        return s->scan->start;
    for (size_t at = text.start, end; at < text.end; at = end) {
        end = em_code_read(&s->reader, at);
        if (end > at)
            note_piece(s, at, end);
        end = end > at ? end : at + 1;
    }
    mask_as_comment(s, text.start, text.end);
    return text.end;
}

/* ---- All of it ------------------------------------------------------------------------------- */

static void scan_all(em_page_scanner *s, size_t from)
{
    em_slice bytes = s->scan->bytes;
    for (size_t at = from; s->status == EM_OK;) {
        at = skip_text(s, at);
        if (at == bytes.len)
            return;
        at = skip_markup(s, at);
        if (s->prologue != EM_NPOS)
            s->prologue = at;
    }
}

static em_status check_whole(em_slice bytes, em_error *err)
{
    if (bytes.len > EM_MAX_PAGE_BYTES)
        return em_fail(
            err, EM_E_TOO_LARGE,
            "it has %zu bytes, and at most %d can be edited as HTML, however large files may be",
            bytes.len, EM_MAX_PAGE_BYTES);
    if (em_slice_starts(bytes, EM_LIT("\xFF\xFE")) || em_slice_starts(bytes, EM_LIT("\xFE\xFF")))
        return em_fail(err, EM_E_BINARY, "the page is in UTF-16");
    if (em_slice_has_byte(bytes, '\0'))
        return em_fail(err, EM_E_BINARY, "the page holds a NUL");
    return EM_OK;
}

/* Where the first tag of the page may stand. */
static size_t begin_page(em_page_scanner *s)
{
    s->no_text = true;
    return s->prologue = skip_preamble(s);
}

static void begin_part(em_page_scanner *s, const em_node *parent)
{
    s->foreign_part = parent->ns != EM_NS_HTML;
    unsigned kinds = s->foreign_part ? 0 : em_element_kinds(parent->name);
    s->no_text = kinds & EM_ELEMENT_NO_TEXT_IN;
    s->in_table = s->no_text && kinds & EM_ELEMENT_OF_TABLE;
    s->prologue = EM_NPOS;
}

em_status em_prescan_part(em_slice bytes, const em_node *parent, em_arena *arena, em_prescan *scan,
                          em_error *err)
{
    size_t start = em_slice_starts(bytes, EM_LIT("\xEF\xBB\xBF")) ? 3 : 0;
    *scan = (em_prescan){.bytes = bytes, .masked = bytes, .start = start};
    EM_TRY(check_whole(bytes, err));
    em_page_scanner *s = em_alloc(arena, sizeof *s);
    if (!s)
        return EM_E_NOMEM;
    s->scan = scan;
    s->arena = arena;
    s->err = err;
    s->reader.bytes = bytes;
    s->foreign = EM_NPOS;
    size_t from = start;
    if (parent)
        begin_part(s, parent);
    else
        from = begin_page(s);
    s->less = next_byte(bytes, from, '<');
    s->brace = next_byte(bytes, from, '{');
    s->razor = next_razor(bytes, from);
    if (parent && parent->ns == EM_NS_HTML && em_html_is_rcdata(parent->name))
        skip_raw_text(s, start, parent->name);
    else
        scan_all(s, from);
    if (s->status == EM_OK)
        drop_unpaired(s, parent != NULL);
    if (s->status == EM_OK && em_standins_choose(&s->standins) && may_mask(s))
        em_standins_write(&s->standins, s->copy);
    return s->status;
}

em_status em_prescan_page(em_slice bytes, em_arena *arena, em_prescan *scan, em_error *err)
{
    return em_prescan_part(bytes, NULL, arena, scan, err);
}
