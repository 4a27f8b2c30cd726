#include "tokens/here_document.h"
#include "tokens/long_strings.h"

#include "check_texts.h"

/* What is within is written between '[' and ']', of a here-document between '{' and '}'. */
static void mark(em_slice text, const em_long_strings *found, char *out)
{
    for (size_t i = 0, at = 0; i <= text.len; i++) {
        if (at < found->count && found->items[at].end == i)
            *out++ = found->items[at++].is_document ? '}' : ']';
        if (at < found->count && found->items[at].start == i)
            *out++ = found->items[at].is_document ? '{' : '[';
        if (i < text.len)
            *out++ = text.ptr[i];
    }
    *out = '\0';
}

static const struct {
    const char *text, *marked; /* NULL: not clear */
} strings[] = {
    {"a = \"one line\"\n", "a = \"one line\"\n"},
    {"a = \"\"\"one line\"\"\"\n", "a = \"\"\"one line\"\"\"\n"},
    {"a = \"\"\"\n  b\n  \"\"\"\n", "a = \"\"\"[\n  b\n  ]\"\"\"\n"},
    {"a = '''b\n\"\"\"\nc'''\n", "a = '''b[\n\"\"\"\nc]'''\n"},
    {"a = `b\n\\`c`\n", "a = `b[\n\\`c]`\n"},
    {"echo '\na\n' b\n", "echo '[\na\n]' b\n"},
    {"the users'\nthe users'\n", "the users'\nthe users'\n"},
    {"# it's \"\"\"\na\n", "# it's \"\"\"\na\n"},
    {"a // `\nb\n", "a // `\nb\n"},
    {"cat <<EOF\na\nEOF\nb\n", "cat <<EOF{\na\nEOF}\nb\n"},
    {"cat <<-'E' | b\n\ta\n\tE\n", "cat <<-'E' | b{\n\ta\n\tE}\n"},
    {"a = '''\nb\n'''\nc = `\nd`\n", "a = '''[\nb\n]'''\nc = `[\nd]`\n"},
    {"a = \"\"\"\nb\n", NULL},
    {"cat <<EOF\na\n", NULL},
    {"`\n`\n`\n`\n`\n`\n`\n`\n`\n`\n`\n`\n`\n`\n`\n`",
     "`[\n]`\n`[\n]`\n`[\n]`\n`[\n]`\n`[\n]`\n`[\n]`\n`[\n]`\n`[\n]`"},
    {"`\n`\n`\n`\n`\n`\n`\n`\n`\n`\n`\n`\n`\n`\n`\n`\n`\n`", NULL}, /* too many */
};

static void strings_over_several_lines_are_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(strings); i++) {
        char marked[200];
        em_slice text = em_slice_of(strings[i].text);
        em_long_strings found = em_long_strings_of(text);
        mark(text, &found, marked);
        check_bytes(strings[i].text, found.are_clear ? em_slice_of(marked) : EM_LIT("not clear"),
                    strings[i].marked ? em_slice_of(strings[i].marked) : EM_LIT("not clear"));
    }
}

static const struct {
    const char *text;
    char mark;
    bool is_quoted;
    const char *word;
} documents[] = {
    {"<<EOF | sort", 0, false, "EOF"}, {"<<-EOF", '-', false, "EOF"}, {"<<~'E F'", '~', true, "E"},
    {"<<\"END\"", 0, true, "END"},     {"<<", 0, false, ""},          {"<<-", '-', false, ""},
    {"<< EOF", 0, false, ""},          {"< <EOF", 0, false, ""},      {"1 <<EOF", 0, false, ""},
};

static void documents_begin_with_their_word(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(documents); i++) {
        em_here_document is = em_here_document_at(em_slice_of(documents[i].text));
        check_bytes(documents[i].text, is.word, em_slice_of(documents[i].word));
        assert_int_equal(is.mark, documents[i].mark);
        assert_int_equal(is.is_quoted, documents[i].is_quoted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings_over_several_lines_are_found),
        cmocka_unit_test(documents_begin_with_their_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
