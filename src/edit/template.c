#include "edit/template.h"

#include "base/ascii.h"
#include "base/line.h"
#include "match/placeholder.h"
#include "text/search.h"

#include <string.h>

static uint32_t info(const pcre2_code *pattern, uint32_t what)
{
    uint32_t value = 0;
    pcre2_pattern_info(pattern, what, &value);
    return value;
}

static bool is_digit_at(em_slice s, size_t at)
{
    return at < s.len && em_is_digit(s.ptr[at]);
}

static bool is_name_at(em_slice s, size_t at)
{
    return at < s.len && (em_is_letter_or_digit(s.ptr[at]) || s.ptr[at] == '_');
}

/* How many of the digits at `at` name a group that there is: as many as can, but at least one. */
static size_t group_digits(em_slice template, size_t at, uint32_t groups)
{
    uint32_t group = 0;
    size_t count = 0;
    while (is_digit_at(template, at + count)) {
        group = group * 10 + (uint32_t)(template.ptr[at + count] - '0');
        if (group > groups)
            break;
        count++;
    }
    return count;
}

/* ---- Groups as others write them ----------------------------------------------------------- */

/* A backslash and what names a group in other languages: \1 of sed and Python, \g<1>, \g{1}, \g1,
 * \k<name>, ... */
typedef struct reference {
    em_slice name;  /* digits or letters; empty: it is no such thing */
    size_t end;     /* of all of it in the template */
    bool is_number; /* bare digits, of which some may be text */
} reference;

static size_t name_end(em_slice template, size_t at)
{
    while (is_name_at(template, at))
        at++;
    return at;
}

/* The name at `at` in brackets; `\g1` has none. */
static reference bracketed(em_slice template, size_t at)
{
    static const char opening[] = "<{'", closing[] = ">}'";
    char first = at < template.len ? template.ptr[at] : '\0';
    const char *bracket = first != '\0' ? strchr(opening, first) : NULL;
    size_t start = at + (bracket ? 1 : 0), end = name_end(template, start);
    if (!bracket)
        return (reference){.end = at};
    if (end >= template.len || template.ptr[end] != closing[bracket - opening])
        return (reference){.end = at};
    return (reference){.name = em_slice_sub(template, start, end), .end = end + 1};
}

static reference reference_at(em_slice template, size_t backslash)
{
    size_t at = backslash + 1;
    bool is_letter = at < template.len && (template.ptr[at] == 'g' || template.ptr[at] == 'k');
    at += is_letter;
    size_t end = at;
    while (is_digit_at(template, end))
        end++;
    if (end > at)
        return (reference){
            .name = em_slice_sub(template, at, end), .end = end, .is_number = !is_letter};
    return is_letter ? bracketed(template, at) : (reference){.end = at};
}

/* ---- Why it failed ------------------------------------------------------------------------- */

/* The dollar of the reference that ends, or is wrong, at `offset`. */
static size_t dollar_before(em_slice template, size_t offset)
{
    size_t at = offset < template.len ? offset + 1 : template.len;
    while (at > 0 && template.ptr[at - 1] != '$')
        at--;
    return at > 0 ? at - 1 : template.len;
}

static em_status fail_unknown(const pcre2_code *pattern, em_slice template, size_t offset,
                              em_error *err)
{
    uint32_t groups = info(pattern, PCRE2_INFO_CAPTURECOUNT);
    size_t dollar = dollar_before(template, offset), start = dollar + 1;
    bool in_braces = start < template.len && template.ptr[start] == '{';
    start += in_braces;
    size_t end = start;
    while (is_name_at(template, end))
        end++;
    em_slice name = em_slice_sub(template, start < template.len ? start : template.len, end);
    if (!is_digit_at(name, 0))
        return em_fail_cause(err, EM_E_INVALID, EM_CAUSE_PATTERN,
                             "the replacement refers to a group \"%.*s\", which the pattern does "
                             "not have: for a $ that is text send $$",
                             (int)(name.len < 60 ? name.len : 60), name.ptr);
    size_t digits = 0;
    while (is_digit_at(name, digits))
        digits++;
    size_t known = in_braces ? 0 : group_digits(name, 0, groups);
    if (known == 0 || name.ptr[0] == '0')
        return em_fail_cause(err, EM_E_INVALID, EM_CAUSE_PATTERN,
                             "the replacement refers to group %.*s, but the pattern has %u "
                             "group%s: $0 is the whole match, and for a $ that is text send $$",
                             (int)(digits < 20 ? digits : 20), name.ptr, groups,
                             groups == 1 ? "" : "s");
    return em_fail_cause(err, EM_E_INVALID, EM_CAUSE_PATTERN,
                         "the replacement refers to group %.*s, but the pattern has %u group%s: "
                         "for group %.*s and a digit behind it send ${%.*s}%.*s",
                         (int)(digits < 20 ? digits : 20), name.ptr, groups, groups == 1 ? "" : "s",
                         (int)known, name.ptr, (int)known, name.ptr,
                         (int)(digits - known < 20 ? digits - known : 20), name.ptr + known);
}

/* The backslash of the escape that PCRE2 does not know, and tells at its letter, or behind it. */
static size_t backslash_before(em_slice template, size_t offset)
{
    for (size_t back = 1; back <= 2 && back <= offset && offset <= template.len; back++)
        if (template.ptr[offset - back] == '\\')
            return offset - back;
    return template.len;
}

static em_status fail_escape(const pcre2_code *pattern, em_slice template, size_t offset,
                             const char *message, em_error *err)
{
    uint32_t groups = info(pattern, PCRE2_INFO_CAPTURECOUNT);
    size_t backslash = backslash_before(template, offset);
    reference group = reference_at(template, backslash);
    size_t length = group.end < backslash + 60 ? group.end - backslash : 60;
    if (group.name.len == 0)
        return em_fail_cause(err, EM_E_INVALID, EM_CAUSE_PATTERN,
                             "the replacement is malformed at offset %zu: %s. A backslash begins "
                             "an escape such as \\n: send \\\\ for one that is text",
                             offset, message);
    return em_fail_cause(err, EM_E_INVALID, EM_CAUSE_PATTERN,
                         "the replacement is malformed at offset %zu: %.*s is no group here. "
                         "Groups are $1 or ${1}, named ones ${name}, the whole match is $0; the "
                         "pattern has %u group%s",
                         offset, (int)length, template.ptr + backslash, groups,
                         groups == 1 ? "" : "s");
}

em_status em_template_fail(const pcre2_code *pattern, em_slice template, int code, size_t offset,
                           em_error *err)
{
    char message[256];
    if (code == PCRE2_ERROR_NOSUBSTRING)
        return fail_unknown(pattern, template, offset, err);
    pcre2_get_error_message(code, (PCRE2_UCHAR *)message, sizeof message);
    if (code == PCRE2_ERROR_BADREPESCAPE)
        return fail_escape(pattern, template, offset, message, err);
    return em_fail_cause(err, EM_E_INVALID, EM_CAUSE_PATTERN,
                         "the replacement is malformed at offset %zu: %s. A $ refers to a group: "
                         "send $0 for the whole match, $$ for a $ that is text",
                         offset, message);
}

/* ---- What was meant ------------------------------------------------------------------------ */

typedef struct mending {
    uint32_t groups, names;
    em_slice template;
    char *out;
    size_t length;
    bool is_clear;
} mending;

static void put(mending *m, em_slice bytes)
{
    if (bytes.len > 0)
        memcpy(m->out + m->length, bytes.ptr, bytes.len);
    m->length += bytes.len;
}

/* What the template has up to `end`, as it is. */
static size_t keep(mending *m, size_t at, size_t end)
{
    end = end < m->template.len ? end : m->template.len;
    put(m, em_slice_sub(m->template, at, end));
    return end;
}

static size_t mend_number(mending *m, size_t dollar)
{
    size_t digits = group_digits(m->template, dollar + 1, m->groups), end = dollar + 1 + digits;
    if (!is_digit_at(m->template, end) || digits == 0 || m->template.ptr[dollar + 1] == '0') {
        m->is_clear = m->is_clear && digits > 0;
        return keep(m, dollar, end);
    }
    put(m, EM_LIT("${"));
    put(m, em_slice_sub(m->template, dollar + 1, end));
    put(m, EM_LIT("}"));
    return end;
}

/* A name can only be text where no group has one. */
static size_t mend_name(mending *m, size_t dollar)
{
    if (m->names == 0)
        put(m, EM_LIT("$"));
    return keep(m, dollar, dollar + 1);
}

static size_t mend_braces(mending *m, size_t dollar)
{
    em_slice rest = em_slice_from(m->template, dollar + 2);
    const char *close = rest.len > 0 ? memchr(rest.ptr, '}', rest.len) : NULL;
    bool is_name = rest.len > 0 && (em_is_letter(rest.ptr[0]) || rest.ptr[0] == '_');
    if (close && !is_name)
        return keep(m, dollar, dollar + 2 + (size_t)(close - rest.ptr) + 1);
    if (!close) {
        put(m, EM_LIT("$"));
        return keep(m, dollar, dollar + 2);
    }
    return mend_name(m, dollar);
}

static size_t mend_dollar(mending *m, size_t dollar)
{
    size_t at = dollar + 1;
    char next = at < m->template.len ? m->template.ptr[at] : ' ';
    if (next == '$' || next == '*')
        return keep(m, dollar, at + 1);
    if (em_is_digit(next))
        return mend_number(m, dollar);
    if (next == '{')
        return mend_braces(m, dollar);
    if (next == '&') {
        put(m, EM_LIT("$0"));
        return at + 1;
    }
    if (is_name_at(m->template, at))
        return mend_name(m, dollar);
    m->is_clear = m->is_clear && next != '\'' && next != '`'; /* what stands around, elsewhere */
    put(m, EM_LIT("$"));
    return keep(m, dollar, at);
}

/* ${1} where what follows might be read as a part of it, by people at least. */
static void put_group(mending *m, em_slice name, size_t end)
{
    bool is_number = is_digit_at(name, 0), is_bare = is_number && !is_name_at(m->template, end);
    put(m, is_bare ? EM_LIT("$") : EM_LIT("${"));
    put(m, name);
    put(m, is_bare ? EM_LIT("") : EM_LIT("}"));
}

/* A backslash and what is behind it: as it is, but where it names a group. */
static size_t mend_backslash(mending *m, size_t backslash)
{
    reference group = reference_at(m->template, backslash);
    size_t end = group.end, digits = group_digits(group.name, 0, m->groups);
    if (group.name.len == 0)
        return keep(m, backslash, backslash + 2);
    if (is_digit_at(group.name, 0)) {
        bool is_zero = group.name.ptr[0] == '0'; /* \012 may be a code */
        m->is_clear = m->is_clear && digits > 0 &&
                      (is_zero ? group.name.len == 1 : group.is_number || digits == group.name.len);
        end -= group.is_number ? group.name.len - digits : 0;
        group.name = em_slice_sub(group.name, 0, digits);
    }
    put_group(m, group.name, end);
    return end;
}

em_status em_template_mend(const pcre2_code *pattern, em_slice template, em_arena *arena,
                           em_slice *mended)
{
    mending m = {.groups = info(pattern, PCRE2_INFO_CAPTURECOUNT),
                 .names = info(pattern, PCRE2_INFO_NAMECOUNT),
                 .template = template,
                 .out = em_alloc_raw(arena, 3 * template.len),
                 .is_clear = true};
    *mended = (em_slice){0};
    if (!m.out)
        return EM_E_NOMEM;
    for (size_t at = 0; at < template.len;) {
        if (template.ptr[at] == '$')
            at = mend_dollar(&m, at);
        else
            at = template.ptr[at] == '\\' ? mend_backslash(&m, at) : keep(&m, at, at + 1);
    }
    if (m.is_clear)
        *mended = em_slice_make(m.out, m.length);
    return EM_OK;
}

/* ---- What it leaves out -------------------------------------------------------------------- */

static em_status unescape(em_slice escaped, em_arena *arena, em_slice *text)
{
    char *bytes = em_alloc_raw(arena, escaped.len);
    size_t length = 0;
    if (!bytes)
        return EM_E_NOMEM;
    for (size_t i = 0; i < escaped.len; i++) {
        bool is_escape = escaped.ptr[i] == '\\' && i + 1 < escaped.len;
        i += is_escape;
        bytes[length++] = is_escape && escaped.ptr[i] == 'n' ? '\n' : escaped.ptr[i];
    }
    *text = em_slice_make(bytes, length);
    return EM_OK;
}

static bool stands_in(em_slice text, em_slice wanted)
{
    em_needle needle;
    em_needle_init(&needle, wanted);
    return em_find(&needle, text, 0) != EM_NPOS;
}

em_status em_template_omission(em_slice template, em_slice pattern, em_arena *arena,
                               em_slice *omission)
{
    EM_TRY(unescape(template, arena, &template));
    EM_TRY(unescape(pattern, arena, &pattern));
    for (;;) {
        *omission = em_placeholder_in(template, (em_slice){0});
        if (omission->len == 0 || !stands_in(pattern, *omission))
            return EM_OK;
        template = em_slice_from(template, (size_t)(omission->ptr - template.ptr));
        em_take_line(&template);
    }
}
