#include "check.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* What is written to such a terminal by `write`. */
static const char *written(em_term term, void (*write)(const em_term *, em_slice), const char *text)
{
    static char bytes[512];
    FILE *file = tmpfile();
    assert_non_null(file);
    term.file = file;
    write(&term, em_slice_of(text));
    rewind(file);
    size_t length = fread(bytes, 1, sizeof bytes - 1, file);
    bytes[length] = '\0';
    fclose(file);
    return bytes;
}

static void what_could_act_is_escaped(void **state)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"plain text", "plain text"},
        {"tab\tand\nnewline", "tab\tand\nnewline"},
        {"a\rb", "a\\rb"},
        {"\033[31mred", "\\x1B[31mred"},
        {"\a\b\x7f", "\\x07\\x08\\x7F"},
        {"\xc2\x9b"
         "31m",
         "\\u{009B}31m"}, /* CSI in one character */
        {"\xe2\x80\xae"
         "evil",
         "\\u{202E}evil"}, /* right to left */
        {"\xe2\x81\xa6x\xe2\x81\xa9", "\\u{2066}x\\u{2069}"},
        {"a\xe2\x80\x8b"
         "b",
         "a\\u{200B}b"}, /* zero width */
        {"\xef\xbb\xbfx", "\\u{FEFF}x"},
        {"\xe2\x80\xa8", "\\u{2028}"},
        {"\xf3\xa0\x81\x81", "\\u{E0041}"}, /* a tag */
        {"caf\xe9", "caf\\xE9"},
        {"\xff\xfe", "\\xFF\\xFE"},
        {"\xef\xbf\xbd", "\xef\xbf\xbd"}, /* U+FFFD itself */
        {"gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80", "gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80"},
        {"\xe2\x9c\x94\xef\xb8\x8f", "\xe2\x9c\x94\xef\xb8\x8f"}, /* an emoji's selector */
        {"back\\slash", "back\\slash"},
        {"", ""},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        assert_string_equal(written((em_term){.is_tty = true}, em_term_text, rows[i].text),
                            rows[i].want);
}

static const char diff[] = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n same\n--- not a name\n+\033new\r\n"
                           "\\ No newline at end of file\n";

static void a_pipe_gets_the_bytes(void **state)
{
    (void)state;
    assert_string_equal(written((em_term){0}, em_term_diff, diff), diff);
    assert_string_equal(written((em_term){0}, em_term_diff, "no end"), "no end\n");
    assert_string_equal(written((em_term){0}, em_term_text, "\033\r\n"), "\033\r\n");
    assert_string_equal(written((em_term){0}, em_term_text, ""), "");
}

/* A name that holds a newline would be another line of a listing. */
static void names_are_escaped_in_pipes_too(void **state)
{
    (void)state;
    const char *name = "a\n\t9\033[m\xFF \xC3\xBC";
    assert_string_equal(written((em_term){0}, em_term_name, name), "a\\n\\t9\\x1B[m\\xFF \xC3\xBC");
    assert_string_equal(written((em_term){0}, em_term_sentence, name),
                        "a\n\t9\\x1B[m\\xFF \xC3\xBC");
}

static void a_terminal_gets_colours(void **state)
{
    (void)state;
    em_term term = {.is_tty = true, .colour = true};
    assert_string_equal(written(term, em_term_diff, diff),
                        "\033[1m--- a/x\033[m\n\033[1m+++ b/x\033[m\n\033[36m@@ -1 +1 @@\033[m\n"
                        " same\n\033[31m--- not a name\033[m\n\033[32m+\\x1Bnew\\r\033[m\n"
                        "\\ No newline at end of file\n");
}

static void a_terminal_without_colours_still_gets_escapes(void **state)
{
    (void)state;
    em_term term = {.is_tty = true};
    assert_string_equal(written(term, em_term_diff, "--- a\n+++ b\n+\033\n"),
                        "--- a\n+++ b\n+\\x1B\n");
}

static void a_file_is_no_terminal(void **state)
{
    (void)state;
    FILE *file = tmpfile();
    em_term term = em_term_of(file);
    assert_false(term.is_tty || term.colour);
    assert_ptr_equal(term.file, file);
    fclose(file);
}

static void colours_can_be_declined(void **state)
{
    static const struct {
        const char *no_color, *kind;
        bool colour;
    } rows[] = {
        {NULL, "xterm", true}, {"", "xterm", true}, {"1", "xterm", false},
        {NULL, "dumb", false}, {NULL, NULL, true},
    };
    (void)state;
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    /* O_NOCTTY: a test that leads a session would be hung up on when the terminal goes. */
    FILE *terminal = fdopen(open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC), "r+");
    assert_non_null(terminal);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        unsetenv("NO_COLOR");
        unsetenv("TERM");
        if (rows[i].no_color)
            setenv("NO_COLOR", rows[i].no_color, 1);
        if (rows[i].kind)
            setenv("TERM", rows[i].kind, 1);
        em_term term = em_term_of(terminal);
        assert_true(term.is_tty);
        assert_int_equal(term.colour, rows[i].colour);
    }
    fclose(terminal);
    close(master);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_could_act_is_escaped),
        cmocka_unit_test(a_pipe_gets_the_bytes),
        cmocka_unit_test(names_are_escaped_in_pipes_too),
        cmocka_unit_test(a_terminal_gets_colours),
        cmocka_unit_test(a_terminal_without_colours_still_gets_escapes),
        cmocka_unit_test(a_file_is_no_terminal),
        cmocka_unit_test(colours_can_be_declined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
