/* page.h: the review page: files that are compiled in, and answered to anybody.
 *
 * They hold nothing of the files that are served; what the page shows it asks of the review's API,
 * which wants the token. A page may load, run and ask nothing but what comes from here.
 */
#ifndef EM_REVIEW_PAGE_H
#define EM_REVIEW_PAGE_H

#include "http/routes.h"

typedef struct em_page_file {
    const char *path, *type, *etag;
    em_slice bytes;
} em_page_file;

/* Made of src/review/page by scripts/embed.py; the path of the last is NULL. */
extern const em_page_file em_page_files[];

/* "/", and all beneath "/page/". */
em_routes em_page_routes(void);

#endif
