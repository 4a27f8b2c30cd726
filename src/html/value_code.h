/* value_code.h: code of templates in the value of an attribute that is a list of words, as a class
 * is.
 *
 * Text between tags says little about what signs in it mean, and code.h takes single braces there
 * for what they are. No word of such a list has any, so here it is code as well what stands
 *
 *     {a ? b : c}  ${a}  {$a}        in single braces (Svelte, JSX, Smarty)
 *     @(a ? b : c)  @f('a b')        in the arguments of a call (Razor, Blade)
 *     @if($a) b @endif               and a directive (directive.h) that has its end in the value.
 *
 * But in square brackets, as w-[calc(100%-{a})] and [@media(a){&:hover}]:b have them, single braces
 * are a part of a word.
 */
#ifndef EM_HTML_VALUE_CODE_H
#define EM_HTML_VALUE_CODE_H

#include "html/tree.h"

typedef struct em_value_code {
    em_range *pieces; /* in order, each behind the one before */
    bool *parting;    /* of each: does a branch (control.h) begin or end with it? */
    size_t count;
    em_range chosen; /* from the first branch to the end of the last; empty: there is none */
} em_value_code;

/* In `arena`. EM_E_NOMEM. */
em_status em_value_code_read(em_slice value, em_arena *arena, em_value_code *code);

#endif
