#include "check.h"
#include "scarce.h"

#include "serve/mcp.h"
#include "serve/mcp_era.h"

#define META(version) "{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":" version "}}"

static void eras_of_versions(void **state)
{
    (void)state;
    static const struct {
        const char *version;
        em_mcp_era era;
    } rows[] = {
        {"2026-07-28", EM_MCP_ERA_STATELESS},
        {"2025-11-25", EM_MCP_ERA_HANDSHAKE},
        {"2024-11-05", EM_MCP_ERA_HANDSHAKE},
        {"2024-10-07", EM_MCP_ERA_NONE},
        {"", EM_MCP_ERA_NONE},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        assert_int_equal(em_mcp_era_of(rows[i].version), rows[i].era);
}

/* What a revision has stays as it was published. */
static void what_revisions_have(void **state)
{
    (void)state;
    static const em_mcp_revision rows[] = {
        {"2026-07-28", true, false, true, true, true, false},
        {"2025-11-25", false, false, true, true, true, true},
        {"2025-06-18", false, false, true, true, false, false},
        {"2025-03-26", false, true, true, false, false, false},
        {"2024-11-05", false, false, false, false, false, false},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        EM_AUTO(em_json_ref) name = json_string(rows[i].name);
        const em_mcp_revision *one = em_mcp_revision_of(name);
        assert_ptr_equal(one, &em_mcp_revisions[i]);
        assert_int_equal(one->is_stateless, rows[i].is_stateless);
        assert_int_equal(one->has_batches, rows[i].has_batches);
        assert_int_equal(one->tells_steps, rows[i].tells_steps);
        assert_int_equal(one->has_elicitation, rows[i].has_elicitation);
        assert_int_equal(one->names_form, rows[i].names_form);
        assert_int_equal(one->primes_streams, rows[i].primes_streams);
    }
    assert_null(em_mcp_revisions[COUNT_OF(rows)].name);
}

static void there_are_no_others(void **state)
{
    (void)state;
    EM_AUTO(em_json_ref) longer = json_stringn("2025-06-18\0", 11);
    EM_AUTO(em_json_ref) older = json_string("2024-10-07");
    EM_AUTO(em_json_ref) number = json_integer(20250618);
    assert_null(em_mcp_revision_of(longer));
    assert_null(em_mcp_revision_of(older));
    assert_null(em_mcp_revision_of(number));
    assert_null(em_mcp_revision_of(NULL));
}

static void what_a_stateless_request_carries(void **state)
{
    (void)state;
    static const struct {
        const char *params; /* NULL: none */
        bool stateless;
        int code; /* 0: it carries all */
    } rows[] = {
        {NULL, false, -32602},
        {"{}", false, -32602},
        {META("\"1999-01-01\""), true, -32022},
        {META("7"), true, -32602},
        {META("\"2026-07-28\""), true, -32602},
        {"{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
         "\"io.modelcontextprotocol/clientCapabilities\":{}}}",
         true, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        json_t *answer = NULL;
        em_rpc_message message = {.kind = EM_RPC_REQUEST,
                                  .id = json_integer(3),
                                  .params =
                                      rows[i].params ? json_loads(rows[i].params, 0, NULL) : NULL};
        assert_int_equal(em_mcp_is_stateless(&message), rows[i].stateless);
        assert_int_equal(em_mcp_version_named(&message) != NULL, rows[i].stateless);
        assert_int_equal(em_mcp_check_stateless(&message, &answer), rows[i].code == 0);
        assert_int_equal(
            json_integer_value(json_object_get(json_object_get(answer, "error"), "code")),
            rows[i].code);
        json_decref(answer);
        json_decref(message.id);
        json_decref(message.params);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eras_of_versions),
        cmocka_unit_test(what_revisions_have),
        cmocka_unit_test(there_are_no_others),
        cmocka_unit_test(what_a_stateless_request_carries),
    };
    (void)scarce_begin;
    (void)scarce_end;
    return cmocka_run_group_tests_name("mcp_era", tests, NULL, NULL);
}
