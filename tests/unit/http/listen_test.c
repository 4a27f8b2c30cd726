#include "../dialects/memory.h"

#include "http/listen.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool names_fail;

/* In place of the C library's. */
int getsockname(int fd, __SOCKADDR_ARG address, socklen_t *length)
{
    if (!names_fail)
        return (int)syscall(SYS_getsockname, fd, address.__sockaddr__, length);
    errno = ENOBUFS;
    return -1;
}

/* Who announced it would name a port that nobody can connect to. */
static void a_port_that_cannot_be_known(void **state)
{
    (void)state;
    em_listener listener;
    em_error err = EM_ERROR_INIT;
    names_fail = true;
    em_status status = em_listen("127.0.0.1:0", &listener, &err);
    names_fail = false;
    assert_int_equal(status, EM_E_IO);
    assert_int_equal(listener.fd, -1);
    assert_non_null(strstr(err.detail, "cannot listen at 127.0.0.1:0: "));
}

static void addresses(void **state)
{
    (void)state;
    static const struct {
        const char *where;
        bool fits, local;
    } rows[] = {
        {"127.0.0.1:0", true, true},
        {"127.1.2.3:80", true, true},
        {"8137", true, true},
        {"localhost:1", true, true},
        {"[::1]:65535", true, true},
        {"0.0.0.0:1", true, false},
        {"192.0.2.1:1", true, false},
        {"[::]:1", true, false},
        {"[fe80::1]:1", true, false},
        {"unix:/tmp/x", true, true},
        {"unix:x", true, true},
        {"", false, false},
        {"unix:", false, false},
        {":80", false, false},
        {"127.0.0.1", false, false},
        {"127.0.0.1:", false, false},
        {"127.0.0.1:-1", false, false},
        {"127.0.0.1:65536", false, false},
        {"127.0.0.1:123456", false, false},
        {"127.0.0.1:8x", false, false},
        {"::1:80", false, false},
        {"[::1]", false, false},
        {"[::1]80", false, false},
        {"[x]:80", false, false},
        {"example.com:80", false, false},
        {"[:80", false, false},
        {"]:80", false, false},
        {"[1111:1111:1111:1111:1111:1111:1111:1111:1111:1111:1111]:80", false, false},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        bool local = false;
        em_error err = EM_ERROR_INIT;
        em_status status = em_listen_is_local(rows[i].where, &local, &err);
        if ((status == EM_OK) != rows[i].fits || local != rows[i].local)
            fail_msg("%s: %d %d %s", rows[i].where, status, local, err.detail);
    }
    char path[200] = "unix:";
    memset(path + 5, 'x', 110);
    bool local;
    em_error err = EM_ERROR_INIT;
    assert_int_equal(em_listen_is_local(path, &local, &err), EM_E_INVALID);
    em_listener listener;
    assert_int_equal(em_listen("nothing", &listener, &err), EM_E_INVALID);
}

static void it_listens(void **state)
{
    (void)state;
    static const struct {
        const char *where, *host;
    } rows[] = {{"127.0.0.1:0", "127.0.0.1"}, {"[::1]:0", "[::1]"}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        em_listener listener, second;
        em_error err = EM_ERROR_INIT;
        char name[100], again[64];
        if (em_listen(rows[i].where, &listener, &err) != EM_OK) {
            assert_int_equal(err.sys, EADDRNOTAVAIL); /* a machine without IPv6 */
            continue;
        }
        assert_true(listener.is_local && !listener.is_unix && listener.port > 0);
        assert_string_equal(listener.host, rows[i].host);
        snprintf(name, sizeof name, i == 0 ? "http://127.0.0.1:%d" : "http://[::1]:%d",
                 listener.port);
        assert_string_equal(listener.name, name);
        assert_true(fcntl(listener.fd, F_GETFD) & FD_CLOEXEC);
        snprintf(again, sizeof again, "%s:%d", rows[i].host, listener.port);
        assert_int_not_equal(em_listen(again, &second, &err), EM_OK);
        assert_int_equal(err.sys, EADDRINUSE);
        assert_int_equal(second.fd, -1);
        close(listener.fd);
    }
}

static void sockets_in_the_file_system(void **state)
{
    (void)state;
    char base[] = "/tmp/emend-listen-XXXXXX", where[96], path[64];
    struct stat there;
    em_listener listener, second;
    em_error err = EM_ERROR_INIT;
    assert_non_null(mkdtemp(base));
    snprintf(path, sizeof path, "%s/s", base);
    snprintf(where, sizeof where, "unix:%s", path);
    mode_t mask = umask(0);
    assert_int_equal(em_listen(where, &listener, &err), EM_OK);
    assert_int_equal(umask(mask), 0);
    assert_true(listener.is_local && listener.is_unix && listener.port == 0);
    assert_string_equal(listener.name, where);
    assert_string_equal(listener.host, "localhost");
    assert_int_equal(lstat(path, &there), 0);
    assert_int_equal(there.st_mode, S_IFSOCK | 0600);
    assert_int_equal(em_listen(where, &second, &err), EM_E_EXISTS);
    close(listener.fd); /* as one that was killed leaves it */
    assert_int_equal(em_listen(where, &second, &err), EM_OK);
    close(second.fd);
    unlink(path);
    assert_int_equal(symlink("nowhere", path), 0);
    assert_int_equal(em_listen(where, &second, &err), EM_E_EXISTS);
    unlink(path);
    rmdir(base);
    assert_int_equal(em_listen(where, &second, &err), EM_E_NOT_FOUND);
}

enum { BEGINNERS = 8 };

typedef struct beginner {
    const char *where;
    pthread_barrier_t *all;
    em_listener listener;
    em_status status;
} beginner;

static void *begin(void *data)
{
    beginner *b = data;
    em_error err = EM_ERROR_INIT;
    pthread_barrier_wait(b->all);
    b->status = em_listen(b->where, &b->listener, &err);
    return NULL;
}

/* Of several that begin where one was killed one listens, and the others are told. */
static void several_at_a_stale_socket(void **state)
{
    (void)state;
    char base[] = "/tmp/emend-listen-XXXXXX", where[96];
    assert_non_null(mkdtemp(base));
    snprintf(where, sizeof where, "unix:%s/s", base);
    for (int round = 0; round < 50; round++) {
        pthread_t threads[BEGINNERS];
        pthread_barrier_t all;
        beginner each[BEGINNERS];
        int listening = 0, told = 0;
        assert_int_equal(pthread_barrier_init(&all, NULL, BEGINNERS), 0);
        for (int i = 0; i < BEGINNERS; i++) {
            each[i] = (beginner){.where = where, .all = &all};
            assert_int_equal(pthread_create(&threads[i], NULL, begin, &each[i]), 0);
        }
        for (int i = 0; i < BEGINNERS; i++) {
            assert_int_equal(pthread_join(threads[i], NULL), 0);
            listening += each[i].status == EM_OK;
            told += each[i].status == EM_E_EXISTS;
        }
        for (int i = 0; i < BEGINNERS; i++)
            if (each[i].status == EM_OK)
                close(each[i].listener.fd); /* as if it were killed */
        pthread_barrier_destroy(&all);
        assert_int_equal(listening, 1);
        assert_int_equal(told, BEGINNERS - 1);
    }
    unlink(where + strlen("unix:"));
    rmdir(base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses),
        cmocka_unit_test(a_port_that_cannot_be_known),
        cmocka_unit_test(it_listens),
        cmocka_unit_test(sockets_in_the_file_system),
        cmocka_unit_test(several_at_a_stale_socket),
    };
    return cmocka_run_group_tests_name("listen", tests, NULL, NULL);
}
