#include "edit/template.h"

#include "base/ascii.h"
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

em_status em_template_fail(const pcre2_code *pattern, em_slice template, int code, size_t offset,
                           em_error *err)
{
    char message[256];
    if (code == PCRE2_ERROR_NOSUBSTRING)
        return fail_unknown(pattern, template, offset, err);
    pcre2_get_error_message(code, (PCRE2_UCHAR *)message, sizeof message);
    return em_fail_cause(
        err, EM_E_INVALID, EM_CAUSE_PATTERN, "the replacement is malformed at offset %zu: %s. %s",
        offset, message,
        code == PCRE2_ERROR_BADREPESCAPE
            ? "A backslash begins an escape such as \\n: send \\\\ for one that is text"
            : "A $ refers to a group: send $0 for the whole match, $$ for a $ that is text");
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
            at = keep(&m, at, at + 1 + (template.ptr[at] == '\\'));
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
    while (template.len > 0) {
        const char *end = memchr(template.ptr, '\n', template.len);
        size_t length = end ? (size_t)(end - template.ptr) : template.len;
        *omission = em_placeholder_in(em_slice_sub(template, 0, length), (em_slice){0});
        if (omission->len > 0 && !stands_in(pattern, *omission))
            return EM_OK;
        template = em_slice_from(template, end ? length + 1 : length);
    }
    *omission = (em_slice){0};
    return EM_OK;
}
