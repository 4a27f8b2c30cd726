/* preamble.h: what a template engine, or a generator of sites, reads before a page.
 *
 *     @model A.B                    Razor         #set($a = 1)           Velocity
 *     @(title: String)              Twirl         <#assign a=1>          FreeMarker
 *     @extends('a')                 Blade         {include file="a"}     Smarty
 *     <%inherit file="a"/>          Mako          <jsp:include/>         JSP
 *     --- (and lines up to another) Jekyll and the like
 *
 * For HTML that is text, with which the body begins: then the doctype that comes behind it is none,
 * nor do the tags of <html>, <head> and <body> count. Nobody means that.
 */
#ifndef EM_HTML_PREAMBLE_H
#define EM_HTML_PREAMBLE_H

#include "html/code.h"
#include "html/tree.h"

/* From the first such text to the last, between `start` and the doctype or <html> of the page.
 * Empty: there is none, or a page that begins neither with a sign of code nor with one of the two.
 */
em_range em_preamble_find(em_code_reader *reader, size_t start);

#endif
