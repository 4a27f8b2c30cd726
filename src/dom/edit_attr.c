/* edit_attr.c: attributes are changed where they stand, as they are written. */
#include "base/ascii.h"
#include "dom/edit.h"
#include "html/code.h"
#include "html/elements.h"
#include "html/escape.h"
#include "html/tag.h"

#include "base/strbuf.h"
#include "base/utf8.h"

enum { MOST_SHOWN = 60 /* bytes of a name */ };

/* An attribute as it stands in a start tag. */
typedef struct em_written {
    bool there;
    em_tag_attr attr;
    size_t before;    /* the end of what stands before it: of an attribute, or of the tag's name */
    bool behind_open; /* what stands before it is a value without quotes */
    em_tag_attr last; /* the last attribute of the tag; last.end is 0 without one */
    size_t single, doubled; /* how many values of the tag are quoted so */
} em_written;

static size_t skip_code(void *context, size_t at, em_tag_place place, char quote)
{
    em_code_reader *reader = context;
    (void)quote;
    size_t end = em_code_read(reader, at);
    if (end == at && place == EM_TAG_BETWEEN && em_is_one_of(reader->bytes.ptr[at], "@#"))
        end = em_code_read_call(reader, at);
    return end == EM_NPOS ? at : end;
}

static em_slice range_slice(em_slice bytes, em_range range)
{
    return em_slice_sub(bytes, range.start, range.end);
}

/* The first attribute of that name at or behind `from`. */
static em_written find_written(const em_page *page, const em_node *node, em_slice name, size_t from)
{
    em_slice bytes = page->bytes;
    em_code_reader reader = {.bytes = bytes};
    em_written found = {0};
    em_tag tag;
    em_tag_attr attr;
    em_tag_open(&tag, bytes, node->start_tag.start, skip_code, &reader);
    found.last.end = 0;
    for (size_t end = tag.name.end; em_tag_next(&tag, &attr); end = attr.end) {
        if (!found.there && attr.name.start >= from &&
            em_same_in_any_case(range_slice(bytes, attr.name), name)) {
            found.there = true;
            found.attr = attr;
            found.before = end;
            found.behind_open = found.last.has_value && !found.last.quote;
        }
        found.single += attr.quote == '\'';
        found.doubled += attr.quote == '"';
        found.last = attr;
    }
    if (!found.there)
        found.before = found.last.end > 0 ? found.last.end : tag.name.end;
    return found;
}

em_status em_edit_check_attrs(em_edit_plan *plan, const em_node *node)
{
    if (node->flaws & EM_FLAW_MERGED_ATTRS)
        return em_refuse(plan, EM_DOM_E_MERGED_ATTR,
                         "the page has a second <%.*s> tag whose attributes count for the first; "
                         "remove that one first",
                         EM_NAMED(node));
    if (node->flaws & EM_FLAW_TEMPLATE)
        return em_refuse(plan, EM_DOM_E_TEMPLATE,
                         "the start tag of <%.*s> holds template code, so its attributes are not "
                         "known; edit it as text",
                         EM_NAMED(node));
    return node->flaws & EM_FLAW_ODD ? em_refuse_odd(plan, node) : EM_OK;
}

bool em_edit_is_attr_name(em_slice name)
{
    for (size_t i = 0; i < name.len; i++)
        if ((unsigned char)name.ptr[i] <= ' ' || name.ptr[i] == 0x7F ||
            em_is_one_of(name.ptr[i], "\"'<>/="))
            return false;
    return name.len > 0 && !em_code_within(name);
}

static em_status check_name(em_edit_plan *plan, em_slice name)
{
    if (em_edit_is_attr_name(name))
        return EM_OK;
    return em_refuse(
        plan, EM_DOM_E_BADNAME,
        em_code_within(name)
            ? "\"%.*s\" holds template code, and what name that makes is not known; give the name "
              "itself, or edit the tag as text"
            : "\"%.*s\" is no name of an attribute: that has no blanks, control characters, "
              "quotes, "
              "or any of < > / =",
        (int)em_utf8_floor(name, MOST_SHOWN), name.ptr ? name.ptr : "");
}

static bool can_stand_unquoted(em_slice value)
{
    for (size_t i = 0; i < value.len; i++)
        if (em_html_space(value.ptr[i]) || em_is_one_of(value.ptr[i], "\"'=<>`"))
            return false;
    return value.len > 0;
}

/* ---- Writing --------------------------------------------------------------------------------- */

/* Between `quote`s, or others where there is code that these would end. */
static em_status write_quoted(em_edit_plan *plan, const char *before, char quote, em_slice decoded,
                              em_slice *out)
{
    em_slice escaped;
    quote = em_html_quote_for(decoded, quote);
    EM_TRY(em_html_escape_value(decoded, quote, plan->arena, &escaped));
    EM_AUTO(em_strbuf) text = {0};
    em_strbuf_puts(&text, before);
    em_strbuf_putc(&text, quote);
    em_strbuf_add(&text, escaped);
    em_strbuf_putc(&text, quote);
    return em_strbuf_keep(&text, plan->arena, out);
}

/* A new one goes behind the last. One without a value that ends in '=' would take it for that. */
static em_status write_new(em_edit_plan *plan, const em_written *written, em_slice name,
                           em_slice decoded, em_edit *edit)
{
    const em_tag_attr *last = &written->last;
    bool open = last->has_value && !last->quote && last->value.start == last->value.end;
    char quote = written->single > 0 && written->doubled == 0 ? '\'' : '"';
    const char *before =
        em_arena_format(plan->arena, "%s %.*s=", open ? "\"\"" : "", (int)name.len, name.ptr);
    edit->splice.offset = written->before;
    return before ? write_quoted(plan, before, quote, decoded, &edit->splice.insert) : EM_E_NOMEM;
}

static em_status write_raw(em_edit_plan *plan, const em_tag_attr *attr, em_slice decoded,
                           em_slice raw, em_splice *splice)
{
    splice->insert = raw;
    if (attr->quote || can_stand_unquoted(decoded))
        return EM_OK;
    const char *quoted = em_arena_format(plan->arena, "\"%.*s\"", (int)raw.len, raw.ptr);
    splice->insert = em_slice_make(quoted, raw.len + 2);
    return quoted ? EM_OK : EM_E_NOMEM;
}

/* `raw`: the value as it is to be written between quotes, if there is one. */
static em_status write_over(em_edit_plan *plan, const em_tag_attr *attr, em_slice decoded,
                            em_slice raw, em_edit *edit)
{
    em_splice *splice = &edit->splice;
    em_range value = attr->value;
    *splice = (em_splice){value.start, value.end - value.start, {0}};
    if (!attr->has_value)
        return write_quoted(plan, "=", '"', decoded, &splice->insert);
    if (raw.ptr)
        return write_raw(plan, attr, decoded, raw, splice);
    if (attr->quote && em_html_quote_for(decoded, attr->quote) != attr->quote) {
        *splice = (em_splice){value.start - 1, value.end - value.start + 2, {0}};
        return write_quoted(plan, "", attr->quote, decoded, &splice->insert);
    }
    if (attr->quote)
        return em_html_escape_value(decoded, attr->quote, plan->arena, &splice->insert);
    if (can_stand_unquoted(decoded))
        return em_html_escape_value(decoded, 0, plan->arena, &splice->insert);
    return write_quoted(plan, "", '"', decoded, &splice->insert);
}

em_status em_edit_write_attr(em_edit_plan *plan, em_node *node, em_slice name, em_slice decoded,
                             em_slice raw, em_edit *edit)
{
    em_written written = find_written(plan->page, node, name, 0);
    edit->kind = EM_EDIT_ATTR;
    edit->attr = name;
    EM_TRY(em_html_normalize(decoded, plan->arena, &edit->value));
    EM_TRY(written.there ? write_over(plan, &written.attr, decoded, raw, edit)
                         : write_new(plan, &written, name, decoded, edit));
    edit->splice = em_splice_trim(plan->page->bytes, edit->splice);
    return EM_OK;
}

/* What is there or not is there with any value. */
static em_status warn_of_false(em_edit_plan *plan, em_slice name)
{
    if (!em_html_is_boolean_attr(name) || !em_same_in_any_case(plan->op->value, EM_LIT("false")))
        return EM_OK;
    plan->warning = em_arena_format(
        plan->arena,
        "%.*s counts as set whatever it holds, \"false\" as well. To take it away, use "
        "removeAttribute",
        (int)name.len, name.ptr);
    return plan->warning ? EM_OK : EM_E_NOMEM;
}

em_status em_edit_set_attr(em_edit_plan *plan, em_node *node, em_edit *edit)
{
    em_slice name = plan->op->attr, normal;
    EM_TRY(check_name(plan, name));
    EM_TRY(em_edit_check_attrs(plan, node));
    EM_TRY(em_html_normalize(plan->op->value, plan->arena, &normal));
    const em_attr *attr = em_node_attr_any_case(node, name);
    if (attr && em_slice_eq(attr->value, normal))
        return EM_OK;
    EM_TRY(em_edit_warn_of_entity(plan));
    EM_TRY(warn_of_false(plan, name));
    return em_edit_write_attr(plan, node, name, plan->op->value, (em_slice){0}, edit);
}

static void note_written(em_attr *attr, const em_tag_attr *written)
{
    attr->raw_name = written->name;
    attr->raw_value = written->value;
    attr->quote = written->quote;
    attr->has_value = written->has_value;
}

/* In one walk over the tag, which passes over those that a parser ignores; false where the node has
 * some that are not there in this order. */
static bool find_in_order(const em_page *page, em_node *node)
{
    em_slice bytes = page->bytes;
    em_code_reader reader = {.bytes = bytes};
    size_t found = 0;
    em_tag tag;
    em_tag_attr written;
    em_tag_open(&tag, bytes, node->start_tag.start, skip_code, &reader);
    while (found < node->attr_count && em_tag_next(&tag, &written))
        if (em_same_in_any_case(range_slice(bytes, written.name), node->attrs[found].name))
            note_written(&node->attrs[found++], &written);
    return found == node->attr_count;
}

void em_edit_find_attrs(const em_page *page, em_node *node)
{
    if (find_in_order(page, node))
        return;
    for (size_t i = 0; i < node->attr_count; i++) {
        em_written written = find_written(page, node, node->attrs[i].name, 0);
        if (written.there)
            note_written(&node->attrs[i], &written.attr);
    }
}

/* ---- Taking away ----------------------------------------------------------------------------- */

/* What goes with an attribute: the blanks before it, unless they part its neighbours. */
static em_range with_blanks(em_slice bytes, const em_written *written)
{
    em_range cut = {written->attr.name.start, written->attr.end};
    char next = bytes.ptr[cut.end];
    bool parted = em_html_space(next) || next == '>' || (next == '/' && !written->behind_open);
    while (parted && cut.start > written->before && em_html_space(bytes.ptr[cut.start - 1]))
        cut.start--;
    return cut;
}

/* All attributes of that name: of those behind the first one would count otherwise. */
em_status em_edit_remove_attr(em_edit_plan *plan, em_node *node, em_edit *edit)
{
    em_slice name = plan->op->attr, bytes = plan->page->bytes;
    EM_TRY(check_name(plan, name));
    EM_TRY(em_edit_check_attrs(plan, node));
    em_written written = find_written(plan->page, node, name, 0);
    if (!written.there)
        return EM_OK;
    em_range cut = with_blanks(bytes, &written);
    EM_AUTO(em_strbuf) between = {0};
    edit->splice.offset = cut.start;
    for (;;) {
        size_t end = cut.end;
        written = find_written(plan->page, node, name, written.attr.end);
        if (!written.there) {
            edit->splice.length = end - edit->splice.offset;
            break;
        }
        cut = with_blanks(bytes, &written);
        em_strbuf_add(&between, em_slice_sub(bytes, end, cut.start));
    }
    edit->kind = EM_EDIT_NO_ATTR;
    edit->attr = name;
    return em_strbuf_keep(&between, plan->arena, &edit->splice.insert);
}
