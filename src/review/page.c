#include "review/page.h"

static const char policy[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

static const em_page_file *find_file(const char *path)
{
    for (const em_page_file *file = em_page_files; file->path; file++)
        if (strcmp(file->path, path) == 0)
            return file;
    return NULL;
}

/* Browsers keep it, and ask each time whether it is still the same. */
static bool has_it(const em_exchange *exchange, const em_page_file *file)
{
    const char *known = em_exchange_field(exchange, "If-None-Match");
    return known && strcmp(known, file->etag) == 0;
}

static void answer(void *context, em_exchange *exchange)
{
    (void)context;
    const em_page_file *file = find_file(exchange->path);
    if (!file) {
        em_reply_error(exchange, 404, "not_found", "there is no such file");
        return;
    }
    if (has_it(exchange, file))
        em_reply_empty(exchange, 304);
    else
        em_reply_static(exchange, 200, file->type, file->bytes);
    em_reply_field(exchange, "ETag", file->etag);
    em_reply_field(exchange, "Cache-Control", "no-cache");
    em_reply_field(exchange, "Content-Security-Policy", policy);
    em_reply_field(exchange, "Cross-Origin-Opener-Policy", "same-origin");
}

static const em_route table[] = {
    {EM_HTTP_GET, "/", EM_ROUTE_OPEN, answer},
    {EM_HTTP_GET, "/page/", EM_ROUTE_OPEN | EM_ROUTE_BENEATH, answer},
    {EM_HTTP_OTHER, NULL, 0, NULL},
};

em_routes em_page_routes(void)
{
    return (em_routes){table, NULL};
}
