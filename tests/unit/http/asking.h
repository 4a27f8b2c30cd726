/* asking.h: requests to handlers, made as the server makes them. */
#ifndef EM_TESTS_UNIT_HTTP_ASKING_H
#define EM_TESTS_UNIT_HTTP_ASKING_H

#include "../dialects/memory.h"

#include "http/routes.h"

#include <stdio.h>
#include <string.h>

/* The exchange of a request, answered; to be freed. */
static inline em_exchange *ask_with(em_routes routes, em_http_method method, const char *target,
                                    const char *body, const char *name, const char *value)
{
    em_error err = EM_ERROR_INIT;
    em_exchange *exchange = em_exchange_new();
    assert_non_null(exchange);
    exchange->method = method;
    assert_int_equal(em_exchange_set_target(exchange, target, &err), EM_OK);
    if (name)
        em_exchange_add_field(exchange, em_slice_of(name), em_slice_of(value));
    if (body)
        em_strbuf_puts(&exchange->body, body);
    em_route_found found = em_routes_find(&routes, 1, method, exchange->path);
    assert_non_null(found.route);
    if (found.route->flags & EM_ROUTE_BENEATH)
        exchange->rest = exchange->path + strlen(found.route->path);
    found.route->run(found.context, exchange);
    assert_int_not_equal(exchange->reply.status, 0);
    return exchange;
}

static inline em_exchange *ask(em_routes routes, const char *target)
{
    return ask_with(routes, EM_HTTP_GET, target, NULL, NULL, NULL);
}

static inline const char *reply_field(const em_exchange *exchange, const char *name)
{
    for (size_t i = 0; i < exchange->reply.fields.count; i++)
        if (strcmp(exchange->reply.fields.items[i].name, name) == 0)
            return exchange->reply.fields.items[i].value;
    return NULL;
}

#endif
