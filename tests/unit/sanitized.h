/* sanitized.h: are tests built with the sanitizers?
 *
 * All is several times as dear then. Where a test goes over hundreds of cases of one kind, which
 * are all tried without them, some of these have to be enough. */
#ifndef EMEND_TESTS_SANITIZED_H
#define EMEND_TESTS_SANITIZED_H

#ifdef __SANITIZE_ADDRESS__
#define IS_SANITIZED 1
#elif defined __has_feature
#define IS_SANITIZED __has_feature(address_sanitizer)
#else
#define IS_SANITIZED 0
#endif

/* How far it is from one of the cases that are tried to the next. */
enum { CASE_STRIDE = IS_SANITIZED ? 5 : 1 };

#endif
