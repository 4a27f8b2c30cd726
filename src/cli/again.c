#include "cli/again.h"

#include "base/ascii.h"
#include "base/utf8.h"

/* ---- Words --------------------------------------------------------------------------------- */

/* Does a shell take it for itself wherever it stands in a word? */
static bool is_plain(char byte)
{
    return em_is_word_byte(byte) ? (unsigned char)byte < 0x80 : em_is_one_of(byte, "-./:,@%+");
}

/* Must a word that has this character have it by an escape? A tab is typed to complete a word. */
static bool needs_escape(em_slice character, uint32_t code)
{
    return code == '\t' || em_term_escapes(character, code);
}

typedef enum quoting { PLAIN, QUOTED, ESCAPED } quoting;

static quoting quoting_of(em_slice word)
{
    quoting needed = word.len > 0 ? PLAIN : QUOTED;
    for (size_t at = 0; at < word.len;) {
        size_t start = at;
        uint32_t code = em_utf8_next(word, &at);
        if (needs_escape(em_slice_sub(word, start, at), code))
            return ESCAPED;
        if (!is_plain(word.ptr[start]))
            needed = QUOTED;
    }
    return needed;
}

static void add_quoted(em_strbuf *out, em_slice word)
{
    em_strbuf_putc(out, '\'');
    for (size_t i = 0; i < word.len; i++) {
        if (word.ptr[i] == '\'')
            em_strbuf_puts(out, "'\\''");
        else
            em_strbuf_putc(out, word.ptr[i]);
    }
    em_strbuf_putc(out, '\'');
}

static void add_escaped_char(em_strbuf *out, em_slice character, uint32_t code)
{
    if (code == '\t')
        em_strbuf_puts(out, "\\t");
    else if (code == '\r')
        em_strbuf_puts(out, "\\r");
    else if (code == '\'' || code == '\\')
        em_strbuf_printf(out, "\\%c", (char)code);
    else if (needs_escape(character, code)) /* three digits end an escape, whatever comes behind */
        for (size_t i = 0; i < character.len; i++)
            em_strbuf_printf(out, "\\%03o", (unsigned char)character.ptr[i]);
    else
        em_strbuf_add(out, character);
}

static void add_escaped(em_strbuf *out, em_slice word)
{
    em_strbuf_puts(out, "$'");
    for (size_t at = 0; at < word.len;) {
        size_t start = at;
        uint32_t code = em_utf8_next(word, &at);
        add_escaped_char(out, em_slice_sub(word, start, at), code);
    }
    em_strbuf_putc(out, '\'');
}

void em_add_shell_word(em_strbuf *out, em_slice word)
{
    switch (quoting_of(word)) {
    case PLAIN:
        em_strbuf_add(out, word);
        break;
    case QUOTED:
        add_quoted(out, word);
        break;
    case ESCAPED:
        add_escaped(out, word);
        break;
    }
}

/* ---- The line ------------------------------------------------------------------------------ */

static void add_word(em_strbuf *out, const char *word)
{
    em_strbuf_putc(out, ' ');
    em_add_shell_word(out, em_slice_of(word));
}

static void add_words(em_strbuf *out, const em_word_list *words)
{
    for (size_t i = 0; i < words->count; i++)
        add_word(out, words->items[i]);
}

static void add_flag(em_strbuf *out, const em_given_flag *given)
{
    add_word(out, given->name);
    if (given->value)
        add_word(out, given->value);
}

static bool is_among(const char *name, const char *const *names)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

/* Would a word be taken for a flag? */
static bool has_dash(const em_word_list *words)
{
    for (size_t i = 0; i < words->count; i++)
        if (words->items[i][0] == '-')
            return true;
    return false;
}

void em_add_again(em_strbuf *out, const em_invocation *call, const em_again *again)
{
    bool words_last = has_dash(&again->words);
    em_strbuf_printf(out, "emend %s", call->command->name);
    if (!words_last)
        add_words(out, &again->words);
    for (size_t i = 0; i < call->flags.count; i++)
        if (!is_among(call->flags.items[i].name, again->without))
            add_flag(out, &call->flags.items[i]);
    for (size_t i = 0; i < again->flags.count; i++)
        add_flag(out, &again->flags.items[i]);
    if (words_last) {
        em_strbuf_puts(out, " --");
        add_words(out, &again->words);
    }
}
