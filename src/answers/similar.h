/* similar.h: what is told of a search text that is not there: what stands in the file instead, what
 * differs, and what to send now.
 *
 *  (1) Text that is to be copied stands bare: in JSON, or between >>> and <<<. Numbered lines, and
 *      lines in which white space is made visible, are for reading, and say so.
 *  (2) In a text that ends with what to send, nothing follows it: who reads only the text between
 *      the last two markers sends the right thing.
 */
#ifndef EM_ANSWERS_SIMILAR_H
#define EM_ANSWERS_SIMILAR_H

#include "answers/reply.h"

/* What is less similar than this is not told of. */
#define EM_LEAST_SIMILARITY 0.5

/* The places that are similar enough to be told of, best first: the one that is meant, where that
 * is known, whatever it looks like, and where nothing is similar what has a trace of it. */
typedef struct em_similar_list {
    const em_near *items[EM_MOST_NEAR];
    size_t count;
} em_similar_list;
em_similar_list em_similar_places(const em_reply *reply);

/* The first of them; NULL. */
const em_near *em_similar_best(const em_reply *reply);

/* What of a near place is compared with the search text, and how similar it is: its lines, or where
 * the text is sought within much longer ones the part of them that is most like it. */
typedef struct em_likeness {
    em_slice text;
    double similarity;
} em_likeness;
em_likeness em_similar_likeness(const em_near *near);

/* What a search text called `find` got wrong, in a sentence without a final full stop: "old_text is
 * indented with tabs where the file has spaces, or the other way round". In `arena`; NULL when
 * memory ran out. */
const char *em_miss_sentence(em_miss miss, const char *find, em_arena *arena);

/* What the search text got wrong, in a sentence without a final full stop; NULL where that is not
 * known. In the arena. */
const char *em_similar_reason(em_reply *reply);

/* Did the time run out before all that could be like the search text was looked at? Then nobody
 * knows whether there is more of it than what is told. */
bool em_similar_is_cut_off(const em_reply *reply);

/* Append that, of a text that was not found: "\nThe search for text like it took too long". false:
 * that is not so, or told already. */
bool em_similar_add_cut_off(em_reply *reply);

/* What differs, in a few words: "Extra space after 'const'". In the arena. */
const char *em_difference_sentence(em_reply *reply, const em_difference *difference);

/* Has the text around the change become another? Then what to send is another piece of it. */
bool em_similar_is_stale(const em_reply *reply);

/* Is white space what the search text got wrong? */
bool em_miss_is_of_white_space(em_miss miss);

/* Does white space differ there? */
bool em_similar_by_white_space(const em_reply *reply, const em_near *near);

/* Append, of a place in lines that an edit before changed, that it is there: ", in ...". */
void em_similar_add_origin(em_reply *reply, const em_near *near);

/* Append `text` with its white space made visible: a tab is →, and a blank · at the start or the
 * end of a line or beside another blank. The legend says so, behind what it is about. */
void em_add_visible(em_strbuf *out, em_slice text);
extern const char em_visible_legend[];

/* Append, each on lines of its own that begin with '\n', why the text was not found and the most
 * similar texts with their numbers, their white space visible where it differs, and what differs.
 * Nothing where nothing is known. */
void em_similar_add(em_reply *reply);

/* Could the search text be meant at several places, none of them exact? Then outcome->failure has
 * them. Append them, one a line; else nothing. */
bool em_similar_is_ambiguous(const em_reply *reply);
void em_similar_add_meant(em_reply *reply);

/* As much of the lines of a place as may be shown, at most `most` bytes, from where it is similar
 * on. */
em_slice em_similar_take(em_reply *reply, const em_near *near, size_t most);

/* The most similar text itself, for who copies it: all of it, or nothing where it may not be shown
 * whole, where it is known what to send, or where it is not similar (em_near.is_trace). */
em_slice em_similar_take_whole(em_reply *reply);

/* Append what was taken so, and where it stands. */
void em_similar_add_whole(em_reply *reply, em_slice text);

/* Append the first `lines` lines of a place with their numbers, at most `most` bytes, each on a
 * line of its own that begins with '\n'. */
void em_similar_add_lines(em_reply *reply, const em_near *near, bool visible, size_t lines,
                          size_t most);

/* What kind of difference it is, in a word: "whitespace", "case", "punctuation", "content". */
const char *em_difference_word(em_difference_kind kind);

/* Append the differences of a place, a line each: "\nLEADDifference: ...". */
void em_similar_add_differences(em_reply *reply, const em_near *near, const char *lead);

/* Append "\nSend as NAME (between >>> and <<<):\n>>>TEXT<<<". */
void em_add_to_send(em_reply *reply, const char *name, em_slice text);

/* That the correction cannot be given, and what to do then: one sentence, in the arena. */
const char *em_similar_too_long(em_reply *reply);

/* Append that what is to be sent is for a place that need not be the one that is meant, where that
 * is so. */
void em_similar_add_condition(em_reply *reply);

/* Append what to send now, if that is known: "\nSend as NAME (between >>> and <<<):\n>>>...<<<",
 * the search text last; or that it is too long for that. */
void em_similar_add_correction(em_reply *reply);

#endif
