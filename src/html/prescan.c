/* prescan.c: one pass over the bytes of a page: limits, and what is code of templates.
 *
 * Begin with scan_all(): text, and the markup behind it, in turns. Tags are in prescan_tag.c, the
 * copy in which code is masked in prescan_mask.c.
 */
#include "html/prescan_impl.h"

#include "html/doctype.h"
#include "html/elements.h"
#include "html/preamble.h"
#include "html/tag.h"

/* ---- Comments, declarations and code --------------------------------------------------------- */

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
    em_prescan_note_piece(s, at, end);
    if (s->prologue != EM_NPOS && s->scan->bytes.ptr[at] != '<' && begins_body(s, end)) {
        s->prologue = EM_NPOS;
        s->no_text = false;
    }
    if (s->scan->bytes.ptr[at] == '<' || s->no_text)
        em_prescan_mask_as_comment(s, at, end);
    else
        em_prescan_mask_openings(s, at, end);
    return end;
}

/* The parser takes many doctypes for others than they are; in the masked page they are such as it
 * knows for what they mean. */
static void mask_doctype(em_page_scanner *s, size_t at, size_t end)
{
    size_t from = at + EM_DOCTYPE_KEYWORD;
    em_doctype doctype = em_doctype_read(em_slice_sub(s->scan->bytes, from, end));
    if (doctype.plain || !em_prescan_may_mask(s))
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
        em_prescan_mask(s, at, end - 1, ">");
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
        em_prescan_note_gap(s, (em_page_gap){{at, at + EM_NO_TAG.len}, .is_pause = true});
    return end;
}

/* From a '<', '{' or '@' in text that begins neither a tag nor code. */
static size_t skip_declaration(em_page_scanner *s, size_t at)
{
    em_slice bytes = s->scan->bytes, rest = em_slice_from(bytes, at);
    if (em_slice_starts(rest, EM_LIT("<!--")))
        return skip_comment(s, at);
    if (em_slice_starts(rest, EM_CDATA) && (em_prescan_in_foreign(s) || s->foreign_part))
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
        em_prescan_give_up(s, EM_E_NOMEM);
    if (em_code_read(&s->reader, range.start) == range.end) {
        skip_code(s, range.start, range.end);
    } else {
        em_prescan_note_piece(s, range.start, range.end);
        em_prescan_mask_openings(s, range.start + 1, range.end);
    }
    if (directive->kind != EM_DIRECTIVE_RAZOR)
        return;
    if (directive->role == EM_DIRECTIVE_BEGINS && s->block_count < EM_RAZOR_ROOM)
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
    if (length >= EM_LEAST_COMMENT)
        em_prescan_mask_as_comment(s, directive.start, directive.end);
    else if (em_prescan_may_mask(s))
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
        return em_prescan_skip_tag(s, at);
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
    em_prescan_note_doubt(s, doubt);
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
    if (text.end - text.start < EM_LEAST_COMMENT)
        return s->scan->start;
    for (size_t at = text.start, end; at < text.end; at = end) {
        end = em_code_read(&s->reader, at);
        if (end > at)
            em_prescan_note_piece(s, at, end);
        end = end > at ? end : at + 1;
    }
    em_prescan_mask_as_comment(s, text.start, text.end);
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
    if (kinds & EM_ELEMENT_AS_AROUND && parent->parent)
        kinds = em_element_kinds(parent->parent->name);
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
        em_prescan_skip_raw_text(s, start, parent->name);
    else
        scan_all(s, from);
    if (s->status == EM_OK)
        drop_unpaired(s, parent != NULL);
    if (s->status == EM_OK && em_standins_choose(&s->standins) && em_prescan_may_mask(s))
        em_standins_write(&s->standins, s->copy);
    return s->status;
}

em_status em_prescan_page(em_slice bytes, em_arena *arena, em_prescan *scan, em_error *err)
{
    return em_prescan_part(bytes, NULL, arena, scan, err);
}
