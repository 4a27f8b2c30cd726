/* open_ends.h: elements whose end the page does not write, though HTML wants it.
 *
 * What ends together with such an element ends where nobody knows, too: the last <li> of a <ul>
 * without an end tag. And what HTML reads as text, as a cell or as an option takes in the rest of
 * the page, end tags included, its own among them: these tags are lost, as they are no node's.
 */
#ifndef EM_DOM_OPEN_ENDS_H
#define EM_DOM_OPEN_ENDS_H

#include "html/tree.h"

/* Is it an element that the page begins and, though it has to, does not end? */
bool em_is_unclosed(const em_page *page, const em_node *node);

/* The element itself, or the nearest around it, that is unclosed and ends with it; NULL. */
const em_node *em_unclosed_around(const em_page *page, const em_node *node);

/* Comes nothing behind it but white space and "</>", or the end tags of <body> and <html>? */
bool em_ends_with_page(em_slice bytes, const em_node *node);

/* Of an element without an end tag, the innermost that is unclosed of itself and those in it that
 * end with it; NULL. That may have taken in the end tags of those around it. */
const em_node *em_unclosed_in(const em_page *page, const em_node *outer);

/* Of an element with an unclosed one around it, or in it, that ends with it: may its end tag be
 * among those that are lost? It is none but one of its name, or of the name of one around it. */
bool em_is_end_lost(const em_page *page, const em_node *node);

/* Is it a part of a line of text (<b>, <a>, <img>), which no element goes on in behind its end? */
bool em_is_of_text(const em_node *node);

/* How many elements are in it, right below it, that the page writes; and how many of these are more
 * than a part of a line of text. */
size_t em_elements_written_in(const em_node *node);
size_t em_blocks_written_in(const em_node *node);

/* How many there are up to the end that it has with others, those in its last one included, if that
 * is open, and so on. Of an element that may lack its end tag, such as a <p>, parts of a line of
 * text do not count. */
size_t em_elements_up_to_end(const em_page *page, const em_node *outer);

#endif
