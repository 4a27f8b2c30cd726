/* odd_tag.h: tags with an error that code of a template or a lost quote makes.
 *
 * HTML reads them, but hardly anybody means what it reads. Code of templates is masked here already
 * (prescan.h), so what is odd is none that was known.
 */
#ifndef EM_HTML_ODD_TAG_H
#define EM_HTML_ODD_TAG_H

#include "html/tag.h"

/* A start tag with an odd attribute, or another such error. */
typedef struct em_odd_tag {
    size_t start;
    bool unbound;  /* it may end elsewhere, too */
    bool swallows; /* there are tags in it */
    bool by_name;  /* for its name alone, which an end tag may have, too */
} em_odd_tag;

/* Has the name of a tag a quote or a '<', as in <List<T> items={x}> of TypeScript? */
bool em_name_is_odd(em_slice masked, em_range name);

/* Has the attribute a quote or a '<' where a name or a value without quotes is, or is it "=>"? */
bool em_attr_is_odd(em_slice masked, const em_tag_attr *attr);

/* What is known of an odd tag from `start` to `end`: where it ends is known where its first '>' is
 * the end, and all is closed there. */
em_odd_tag em_odd_tag_of(em_slice masked, size_t start, size_t end, bool by_name);

#endif
