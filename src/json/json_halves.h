/* json_halves.h: a long text, read by two threads.
 *
 * The edits of a call are a list of objects, so somewhere in the middle one of them ends and the
 * next one begins: "}, {". From there on another thread reads as if it were in that list, to its
 * end. Whether it is, and no string holds these signs, the thread that reads from the start knows
 * when it comes there. Then the list gets the elements of both, and it goes on behind the list;
 * else, and where anything is wrong with what the other one read, it reads on by itself. So what is
 * read, and what is said of a text that is wrong, is the same as by one thread.
 */
#ifndef EM_JSON_JSON_HALVES_H
#define EM_JSON_JSON_HALVES_H

#include "json/json_reader.h"

/* Read the reader's text, by this thread alone unless values are kept in regions (json_memory.h). A
 * region of this thread is open. */
void em_json_read_in_halves(em_json_reader *reader);

/* For tests: a text of so many bytes is long, and if `waits`, the other thread is waited for. */
void em_json_suppose_long(size_t bytes, bool waits);

#endif
