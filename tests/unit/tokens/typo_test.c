#include "tokens/typo.h"

#include "check_texts.h"

enum { TYPO = 1, FORM = 2, PROSE = 4 };

static const struct {
    const char *wanted, *seen;
    unsigned is;
} cases[] = {
    /* slips of letters */
    {"recieve", "receive", TYPO | PROSE},
    {"recive", "receive", TYPO | PROSE},
    {"recceive", "receive", TYPO | PROSE},
    {"receave", "receive", TYPO | PROSE},
    {"connecion", "connection", TYPO | PROSE},
    {"connectoin_pool", "connection_pool", TYPO | PROSE},
    {"getUsreName", "getUserName", TYPO},
    {"caf\xC3\xA9teria", "cafeteria", TYPO | PROSE},
    {"confgration", "configuration", 0},
    {"clas", "class", TYPO | PROSE},
    {"processs", "process", TYPO | PROSE},
    {"procesData", "processData", TYPO | PROSE},
    /* other things */
    {"alpha", "omega", 0},
    {"one", "two", 0},
    {"cat", "car", 0},
    {"item1", "item2", 0},
    {"x_axis", "y_axis", 0},
    {"load", "read", 0},
    {"last", "lost", 0},
    {"must", "most", 0},
    {"later", "lower", 0},
    {"smarter", "smaller", 0},
    /* too short a part of a long name */
    {"data_a_column", "data_ab_column", 0},
    {"matrix_xx_entry", "matrix_x_entry", 0},
    {"addr_ip_mask", "addr_ipv_mask", 0},
    {"is_no_frame", "is_on_frame", 0},
    {"is_valid_kye", "is_valid_key", TYPO},
    /* other forms */
    {"user", "users", FORM | PROSE},
    {"loaded", "loader", FORM | PROSE},
    {"load_items", "load_item", FORM | PROSE},
    {"ADMIN_USERS", "ADMIN_USER", FORM | PROSE},
    {"IS_LOADER", "IS_LOADED", FORM | PROSE},
    {"DELETE_AT", "DELETED_AT", FORM | PROSE},
    /* the first letter of a part */
    {"run_asynchronous", "run_synchronous", 0},
    {"is_typical_value", "is_atypical_value", 0},
    /* rows of names, and names of a kind */
    {"RECMIXL", "RECMIXR", 0},
    {"readerA", "readerB", 0},
    {"sys_openat", "sys_open", 0},
    {"HTTPConnection", "HTTPSConnection", 0},
    {"HTTPSConnection", "HTTPConnection", 0},
    {"MAX_CONNECTINS", "MAX_CONNECTIONS", TYPO | PROSE},
    {"ifdef", "ifndef", 0},
    {"strcpy", "strncpy", 0},
    {"vsnprintf", "vsprintf", 0},
    {"conection", "connection", TYPO | PROSE},
    {"spawnlp", "spawnlpe", TYPO | PROSE}, /* may be cut */
    {"spawnlpe", "spawnlp", 0},
    {"erf", "erfc", 0},
    {"getUserNam", "getUserName", 0},
    {"procesor", "processor", TYPO | PROSE},
    {"freopen", "fopen", 0},
    {"documention", "documentation", TYPO | PROSE},
    {"nxv4f32", "nxv4i32", 0},
    {"remote_ipv4", "remote_ip4", 0},
    {"sha2Digset", "sha2Digest", TYPO | PROSE},
    {"XMLGetName", "XMLSetName", 0},
    {"buildRMWAdd", "buildRMWAnd", 0},
    {"fegetenv", "fesetenv", 0},
    {"getgid", "getuid", 0},
    {"funlockfile", "flockfile", 0},
    {"MLX_NOBIND", "MLX_NOUNBIND", 0},
    {"fuctions", "functions", TYPO | PROSE},
    {"strlcpy", "strncpy", 0},
    {"_sxrtl", "_sxctl", 0},
    {"htttps", "https", TYPO | PROSE},
    /* words that are each their own */
    {"getContext", "getContent", 0},
    {"CONTENTS", "CONTEXTS", 0},
    {"form_data", "from_data", 0},
    {"perfrom", "perform", TYPO | PROSE},
    {"mode_of_path", "mode_of_patch", 0},
    /* case */
    {"getUsername", "getUserName", TYPO},
    {"HTTPServer", "HttpServer", 0},
    {"Max", "max", 0},
};

static void words_are_slips_or_forms_of_others(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_slice wanted = em_slice_of(cases[i].wanted), seen = em_slice_of(cases[i].seen);
        unsigned is = (em_is_typo(wanted, seen) ? TYPO : 0u) |
                      (em_is_form(wanted, seen) ? FORM : 0u) |
                      (em_is_typo_in_prose(wanted, seen) ? PROSE : 0u);
        check_size(cases[i].wanted, is, cases[i].is);
    }
}

static void no_letter_of_a_number_is_a_slip(void **state)
{
    (void)state;
    assert_false(em_is_typo(EM_LIT("ff00aabb11"), EM_LIT("ff00acbb11")));
    assert_false(em_is_typo(EM_LIT("color_1e2dfe"), EM_LIT("color_1e2efe")));
    assert_true(em_is_typo(EM_LIT("fecade"), EM_LIT("facade")));
    assert_false(em_is_typo_in_prose(EM_LIT("ff00aa11"), EM_LIT("ff00ab11")));
    assert_true(em_is_typo_in_prose(EM_LIT("fecade"), EM_LIT("facade")));
}

static void the_part_of_a_name_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *wanted, *seen, *part;
    } parts[] = {
        {"get_usre_name", "get_user_name", "usre"}, {"getUsreName", "getUserName", "Usre"},
        {"recieve", "receive", "recieve"},          {"get_uer_name", "get_user_name", "uer"},
        {"max_coont", "max_count", "coont"},
    };
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        check_bytes(parts[i].wanted,
                    em_typo_part(em_slice_of(parts[i].wanted), em_slice_of(parts[i].seen)),
                    em_slice_of(parts[i].part));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_slips_or_forms_of_others),
        cmocka_unit_test(no_letter_of_a_number_is_a_slip),
        cmocka_unit_test(the_part_of_a_name_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
