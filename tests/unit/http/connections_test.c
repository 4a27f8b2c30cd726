#include "../dialects/memory.h"

#include "http/connections.h"

#include <sys/socket.h>
#include <unistd.h>

typedef struct pair {
    int server, client;
    em_connection *one;
} pair;

static pair join(em_connections *connections)
{
    int fds[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
    pair p = {fds[0], fds[1], em_connections_add(connections, fds[0])};
    assert_non_null(p.one);
    return p;
}

static bool is_shut(const pair *p)
{
    char byte;
    return recv(p->client, &byte, 1, MSG_DONTWAIT) == 0;
}

static void part(em_connections *connections, pair *p)
{
    em_connections_remove(connections, p->one);
    close(p->server);
    close(p->client);
}

static void the_longest_idle_makes_room(void **state)
{
    (void)state;
    em_connections *connections = em_connections_new(2, 60000);
    pair one = join(connections), two = join(connections);
    em_connection_works(connections, one.one);
    em_connection_waits(connections, one.one); /* now it is the younger of both */
    pair three = join(connections);
    assert_true(is_shut(&two));
    assert_false(is_shut(&one));
    em_connection_sends(connections, one.one);
    em_connection_works(connections, three.one);
    pair four = join(connections);
    assert_false(is_shut(&one) || is_shut(&three) || is_shut(&four));
    assert_int_equal(em_connections_count(connections), 4);
    part(connections, &three);
    part(connections, &one);
    part(connections, &four);
    part(connections, &two);
    assert_int_equal(em_connections_count(connections), 0);
    em_connections_free(connections);
    em_connections_free(NULL);
}

static void time_is_up(void **state)
{
    (void)state;
    em_connections *connections = em_connections_new(100, 0);
    pair waits = join(connections), moves = join(connections), works = join(connections),
         fast = join(connections), more = join(connections);
    em_connection_takes(connections, moves.one, 15);
    em_connection_works(connections, works.one);
    em_connection_sent(connections, works.one, 1 << 20);
    em_connection_takes(connections, fast.one, 1 << 30);
    em_connection_sends(connections, more.one);
    em_connection_sent(connections, more.one, 1 << 30);
    assert_int_equal(em_connections_tick(connections), 2);
    assert_true(is_shut(&waits) && is_shut(&moves));
    assert_false(is_shut(&works) || is_shut(&fast) || is_shut(&more));
    assert_int_equal(em_connections_tick(connections), 0);
    em_connection_ends(connections, fast.one); /* which has its time already */
    assert_int_equal(em_connections_tick(connections), 0);
    em_connection_steps(connections, works.one); /* which has none */
    assert_int_equal(em_connections_tick(connections), 0);
    em_connection_ends(connections, works.one);
    assert_int_equal(em_connections_tick(connections), 1);
    em_connection_steps(connections, fast.one);
    assert_int_equal(em_connections_tick(connections), 1);
    em_connection_waits(connections, works.one);
    assert_int_equal(em_connections_tick(connections), 1);
    part(connections, &waits);
    part(connections, &moves);
    part(connections, &works);
    part(connections, &fast);
    part(connections, &more);
    em_connections_free(connections);
}

/* Within a request or its headers, and not as long as something comes: what one has asked for in
 * full it may read with its own side closed. */
static void who_leaves_within_a_request(void **state)
{
    (void)state;
    em_connections *connections = em_connections_new(100, 60000);
    pair sends = join(connections), late = join(connections), waits = join(connections),
         works = join(connections), takes = join(connections);
    const pair all[] = {sends, late, waits, works, takes};
    em_connection_sends(connections, sends.one);
    em_connection_sends(connections, late.one);
    em_connection_sends(connections, works.one);
    em_connection_works(connections, works.one);
    em_connection_takes(connections, takes.one, 0);
    assert_int_equal(em_connections_tick(connections), 0);
    assert_int_equal(write(late.client, "x", 1), 1);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        assert_int_equal(shutdown(all[i].client, SHUT_WR), 0);
    assert_int_equal(em_connections_tick(connections), 0);
    assert_int_equal(em_connections_tick(connections), 2);
    assert_true(is_shut(&sends) && is_shut(&waits));
    char byte;
    assert_int_equal(read(late.server, &byte, 1), 1);
    assert_int_equal(em_connections_tick(connections), 0);
    em_connection_sent(connections, late.one, 1);
    assert_int_equal(em_connections_tick(connections), 0);
    assert_int_equal(em_connections_tick(connections), 1);
    assert_int_equal(em_connections_tick(connections), 0);
    assert_false(is_shut(&works) || is_shut(&takes));
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        pair one = all[i];
        part(connections, &one);
    }
    em_connections_free(connections);
}

static bool add(void *context)
{
    (void)context;
    em_connections *connections = em_connections_new(1, 1);
    em_connection *one = connections ? em_connections_add(connections, -1) : NULL;
    if (one)
        em_connections_remove(connections, one);
    em_connections_free(connections);
    return one != NULL;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    assert_int_equal(run_out_of_memory(add, NULL), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_longest_idle_makes_room),
        cmocka_unit_test(time_is_up),
        cmocka_unit_test(who_leaves_within_a_request),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests_name("connections", tests, NULL, NULL);
}
