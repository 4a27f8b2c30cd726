/* directive.h: words between the tags of a page that begin a part of it, part it, or end it, in
 * languages of templates that are text for HTML:
 *
 *     @if($a) @else @endif, @name @endname     Blade
 *     @if (a) { } else { }, @{ }               Razor, and the control flow of Angular
 *     {if $a} {else} {/if}, {name} {/name}     Smarty, Latte
 *     {#if a} {:else} {/if}                    Svelte
 *     <#if a> <#else> </#if>, <@name> </@name> FreeMarker, in brackets too
 *     <%name> </%name>                         Mako
 *     #if($a) #else #end                       Velocity
 *     [% IF a %] [% ELSE %] [% END %]          Template Toolkit
 *
 * A page can say such a word and mean nothing by it, so one counts where its end is found
 * (pairs.h).
 */
#ifndef EM_HTML_DIRECTIVE_H
#define EM_HTML_DIRECTIVE_H

#include "html/code.h"

typedef enum em_directive_kind {
    EM_DIRECTIVE_BLADE,
    EM_DIRECTIVE_RAZOR,
    EM_DIRECTIVE_BRACES, /* of Smarty, Latte and Svelte, which end alike */
    EM_DIRECTIVE_MACROS, /* of FreeMarker and Mako */
    EM_DIRECTIVE_VELOCITY,
    EM_DIRECTIVE_TOOLKIT,
    EM_DIRECTIVE_KINDS,
} em_directive_kind;

typedef enum em_directive_role {
    EM_DIRECTIVE_BEGINS,
    EM_DIRECTIVE_PARTS,
    EM_DIRECTIVE_ENDS,
} em_directive_role;

typedef struct em_directive {
    em_directive_kind kind;
    em_directive_role role;
    em_slice name; /* of what ends it: the same for its beginning and its end */
    em_slice text; /* without its signs: "else", "if $a" */
    bool compares; /* what comes behind its word is a condition, as that of "if" */
} em_directive;

/* Where the one that stands at `at` ends; `at`: there is none. The end of one of Razor, '}', says
 * nothing by itself: whoever asks has to count the braces. */
size_t em_directive_read(em_code_reader *reader, size_t at, em_directive *directive);

#endif
