/* meta.h: what a page says of itself. */
#ifndef EM_HTML_META_H
#define EM_HTML_META_H

#include "base/slice.h"

/* The charset that a <meta> near the beginning of the page names, as it is written there; empty:
 * none does. */
em_slice em_meta_charset(em_slice page);

#endif
