/* header_value.h: what a header of the stateless era says.
 *
 * A value that a header cannot hold as it is comes as =?base64?...?=, UTF-8 in Base64.
 */
#ifndef EM_HTTP_HEADER_VALUE_H
#define EM_HTTP_HEADER_VALUE_H

#include "base/strbuf.h"

/* Append what `value`, without blanks around it, stands for. False when it is neither. */
bool em_header_value_decode(em_slice value, em_strbuf *out);

#endif
