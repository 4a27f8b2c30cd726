#include "html/doctype.h"

#include "html/tag.h"

/* Public identifiers that begin so, in any case. */
static const char *const quirks_prefixes[] = {
    "+//Silmaril//dtd html Pro v0r11 19970101//",
    "-//AS//DTD HTML 3.0 asWedit + extensions//",
    "-//AdvaSoft Ltd//DTD HTML 3.0 asWedit + extensions//",
    "-//IETF//DTD HTML 2.0 Level 1//",
    "-//IETF//DTD HTML 2.0 Level 2//",
    "-//IETF//DTD HTML 2.0 Strict Level 1//",
    "-//IETF//DTD HTML 2.0 Strict Level 2//",
    "-//IETF//DTD HTML 2.0 Strict//",
    "-//IETF//DTD HTML 2.0//",
    "-//IETF//DTD HTML 2.1E//",
    "-//IETF//DTD HTML 3.0//",
    "-//IETF//DTD HTML 3.2 Final//",
    "-//IETF//DTD HTML 3.2//",
    "-//IETF//DTD HTML 3//",
    "-//IETF//DTD HTML Level 0//",
    "-//IETF//DTD HTML Level 1//",
    "-//IETF//DTD HTML Level 2//",
    "-//IETF//DTD HTML Level 3//",
    "-//IETF//DTD HTML Strict Level 0//",
    "-//IETF//DTD HTML Strict Level 1//",
    "-//IETF//DTD HTML Strict Level 2//",
    "-//IETF//DTD HTML Strict Level 3//",
    "-//IETF//DTD HTML Strict//",
    "-//IETF//DTD HTML//",
    "-//Metrius//DTD Metrius Presentational//",
    "-//Microsoft//DTD Internet Explorer 2.0 HTML Strict//",
    "-//Microsoft//DTD Internet Explorer 2.0 HTML//",
    "-//Microsoft//DTD Internet Explorer 2.0 Tables//",
    "-//Microsoft//DTD Internet Explorer 3.0 HTML Strict//",
    "-//Microsoft//DTD Internet Explorer 3.0 HTML//",
    "-//Microsoft//DTD Internet Explorer 3.0 Tables//",
    "-//Netscape Comm. Corp.//DTD HTML//",
    "-//Netscape Comm. Corp.//DTD Strict HTML//",
    "-//O'Reilly and Associates//DTD HTML 2.0//",
    "-//O'Reilly and Associates//DTD HTML Extended 1.0//",
    "-//O'Reilly and Associates//DTD HTML Extended Relaxed 1.0//",
    "-//SQ//DTD HTML 2.0 HoTMetaL + extensions//",
    "-//SoftQuad Software//DTD HoTMetaL PRO 6.0::19990601::extensions to HTML 4.0//",
    "-//SoftQuad//DTD HoTMetaL PRO 4.0::19971010::extensions to HTML 4.0//",
    "-//Spyglass//DTD HTML 2.0 Extended//",
    "-//Sun Microsystems Corp.//DTD HotJava HTML//",
    "-//Sun Microsystems Corp.//DTD HotJava Strict HTML//",
    "-//W3C//DTD HTML 3 1995-03-24//",
    "-//W3C//DTD HTML 3.2 Draft//",
    "-//W3C//DTD HTML 3.2 Final//",
    "-//W3C//DTD HTML 3.2//",
    "-//W3C//DTD HTML 3.2S Draft//",
    "-//W3C//DTD HTML 4.0 Frameset//",
    "-//W3C//DTD HTML 4.0 Transitional//",
    "-//W3C//DTD HTML Experimental 19960712//",
    "-//W3C//DTD HTML Experimental 970421//",
    "-//W3C//DTD W3 HTML//",
    "-//W3O//DTD W3 HTML 3.0//",
    "-//WebTechs//DTD Mozilla HTML 2.0//",
    "-//WebTechs//DTD Mozilla HTML//",
};

/* Those that do only where no system identifier follows. */
static const char *const quirks_prefixes_alone[] = {
    "-//W3C//DTD HTML 4.01 Frameset//",
    "-//W3C//DTD HTML 4.01 Transitional//",
};

/* Public identifiers as a whole. */
static const char *const quirks_publics[] = {
    "-//W3O//DTD W3 HTML Strict 3.0//EN//",
    "-/W3C/DTD HTML 4.0 Transitional/EN",
    "HTML",
};

static const char quirks_system[] = "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd";

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- Reading --------------------------------------------------------------------------------- */

typedef struct em_doctype_reader {
    em_slice text;
    size_t at;
    bool broken; /* something stands where it may not */
} em_doctype_reader;

static void skip_blanks(em_doctype_reader *r)
{
    while (r->at < r->text.len && em_html_space(r->text.ptr[r->at]))
        r->at++;
}

static bool starts_with(em_slice text, em_slice prefix)
{
    return text.len >= prefix.len && em_same_in_any_case(em_slice_sub(text, 0, prefix.len), prefix);
}

static bool take(em_doctype_reader *r, em_slice keyword)
{
    bool there = starts_with(em_slice_from(r->text, r->at), keyword);
    r->at += there ? keyword.len : 0;
    return there;
}

/* A quoted identifier, and the blanks around it. */
static em_slice take_identifier(em_doctype_reader *r)
{
    skip_blanks(r);
    em_slice rest = em_slice_from(r->text, r->at);
    bool quoted = rest.len > 0 && (rest.ptr[0] == '"' || rest.ptr[0] == '\'');
    const char *end = quoted ? memchr(rest.ptr + 1, rest.ptr[0], rest.len - 1) : NULL;
    if (!end) {
        r->broken = true;
        r->at = r->text.len;
        return (em_slice){0};
    }
    r->at += (size_t)(end - rest.ptr) + 1;
    skip_blanks(r);
    return em_slice_make(rest.ptr + 1, (size_t)(end - rest.ptr) - 1);
}

/* ---- Judging --------------------------------------------------------------------------------- */

static bool begins_as_one(em_slice text, const char *const *prefixes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (starts_with(text, em_slice_of(prefixes[i])))
            return true;
    return false;
}

static bool is_quirks_public(em_slice public, bool has_system)
{
    for (size_t i = 0; i < COUNT(quirks_publics); i++)
        if (em_same_in_any_case(public, em_slice_of(quirks_publics[i])))
            return true;
    return begins_as_one(public, quirks_prefixes, COUNT(quirks_prefixes)) ||
           (!has_system &&
            begins_as_one(public, quirks_prefixes_alone, COUNT(quirks_prefixes_alone)));
}

bool em_doctype_starts(em_slice bytes, size_t at)
{
    return starts_with(em_slice_from(bytes, at), EM_LIT("<!doctype"));
}

em_doctype em_doctype_read(em_slice text)
{
    em_doctype_reader r = {.text = text};
    em_doctype doctype = {0};
    em_slice public = {0}, system = {0};
    skip_blanks(&r);
    doctype.name.start = r.at;
    while (r.at < text.len && !em_html_space(text.ptr[r.at]))
        r.at++;
    doctype.name.end = r.at;
    skip_blanks(&r);
    doctype.plain = r.at == text.len;
    if (take(&r, EM_LIT("public"))) {
        public = take_identifier(&r);
        if (r.at < text.len)
            system = take_identifier(&r);
    } else if (take(&r, EM_LIT("system"))) {
        system = take_identifier(&r);
    } else {
        r.broken = !doctype.plain;
    }
    em_slice name = em_slice_sub(text, doctype.name.start, doctype.name.end);
    doctype.quirks = r.broken || !em_same_in_any_case(name, EM_LIT("html")) ||
                     is_quirks_public(public, system.ptr != NULL) ||
                     em_same_in_any_case(system, EM_LIT(quirks_system));
    return doctype;
}
