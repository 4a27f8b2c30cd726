/* Code of templates in pages that are edited. */
#include "editing.h"

#include "html/code.h"

static void code_that_looks_like_a_tag_is_code(void **state)
{
    (void)state;
    static const editing_case cases[] = {
        {"<div>{{ i<n ? 1 : 2 }}</div><p id=b>z</p>", "div setText|q", "<div>q</div><p id=b>z</p>"},
        {"{% if i<n %}<p id=b>y</p>{% endif %}<p>z", "#b setText|q",
         "{% if i<n %}<p id=b>q</p>{% endif %}<p>z"},
        {"<div>{% if i<n %}<p id=b>y</p>{% endif %}</div><p>z</p>", "#b remove",
         "<div>{% if i<n %}{% endif %}</div><p>z</p>"},
        {"<p id=b>{% trans \"Click <b>here</b>\" %}</p>", "b addClass|q", "E_NO_MATCH"},
        {"{% if \"<p class=x>\" %}", ".x addClass|q", "E_NO_MATCH"},
        {"{{!-- <p class=x>z</p> --}}", ".x addClass|q", "E_NO_MATCH"},
        {"{# <p class=x>z</p> #}<p class=x>y</p>", ".x setText|q",
         "{# <p class=x>z</p> #}<p class=x>q</p>"},
        {"@* <p class=x>z</p> *@<p class=x>y</p>", ".x setText|q",
         "@* <p class=x>z</p> *@<p class=x>q</p>"},
        {"<#-- </div> --><p>x</p>", "p setText|q", "<#-- </div> --><p>q</p>"},
        {"<div><#-- </div> -->y</div>", "div setText|q", "<div>q</div>"},
        {"<table>@* <tr> </tr> *@<tr><td>x</table>", "td setText|q",
         "<table>@* <tr> </tr> *@<tr><td>q</table>"},
        {"<style>{* a *} b{}</style><p>x</p>", "style setText|c", "<style>c</style><p>x</p>"},
        {"<p>{% if a %}{# {% endif %} #}b{% endif %}</p>", "p setText|q", "<p>q</p>"},
        {"{#if i<n}<p id=b>y</p>{/if}<p>z", "#b setText|q", "{#if i<n}<p id=b>q</p>{/if}<p>z"},
        {"<p>{i<n}</p><b>y</b>", "p setText|q", "<p>q</p><b>y</b>"},
        {"<p class={i<n ? 'a' : 'b'} id=b>y</p>", "#b setText|q",
         "<p class={i<n ? 'a' : 'b'} id=b>q</p>"},
        {"<p class={i<n ? 'a' : 'b'} id=b>y</p>", "#b addClass|q", "E_TEMPLATE"},
        {"<p>x</p>", "p setHTML|{{ i<n }}", "<p>{{ i<n }}</p>"},
        {"<p>{{ i<n }}</p>", "p:contains('{{ i<n }}') setText|q", "<p>q</p>"},
        {"<p title='{{ i<n }}'>x</p>", "p setText|q", "<p title='{{ i<n }}'>q</p>"},
        {"<table>{% if a<b %}<tr><td>x</td></tr>{% endif %}</table>", "td setText|q",
         "<table>{% if a<b %}<tr><td>q</td></tr>{% endif %}</table>"},
        {"<p {% if a<b %}x{% endif %}>y</p>", "p setText|q", "<p {% if a<b %}x{% endif %}>q</p>"},
        {"<code>{{</code> and <code>}}</code>", "all code addClass|q",
         "<code class=\"q\">{{</code> and <code class=\"q\">}}</code>"},
    };
    EDIT_CASES(cases);
}

static void braces_in_doubt_are_left_alone(void **state)
{
    (void)state;
    static const editing_case cases[] = {
        {"<p id=a>{{ x </p> }}", "#a remove", "E_TEMPLATE"},
        {"<p id=a>{{ x </p> }}", "#a setText|q", "E_TEMPLATE"},
        {"<p id=a>{{ x </p> }}", "#a insertAdjacentHTML|afterend|q", "E_TEMPLATE"},
        {"<p id=a>{{ x </p> }}", "#a addClass|q", "<p id=a class=\"q\">{{ x </p> }}"},
        {"<div id=o><p id=a>{# </p> #}</p></div>", "#a setText|q", "E_TEMPLATE"},
        {"<div id=o><p id=a>{# <div> #}</p></div>", "#o insertAdjacentHTML|beforeend|q",
         "E_TEMPLATE"},
        {"<p id=a>x@* </p> *@</p>", "#a remove", "E_TEMPLATE"},
        {"<p>{{ x <b>y</b> }}</p>", "b addClass|q", "E_TEMPLATE"},
        {"<p>{{ x <b>y</b> }}</p>", "p setText|q", "E_TEMPLATE"},
        {"<p>{{ x <b>y</b> }}</p>", "p insertAdjacentHTML|beforeend|q", "<p>{{ x <b>y</b> }}q</p>"},
        {"<div>{{ a<b and c>d }}</div><p>z</p>", "div remove", "E_TEMPLATE"},
        {"<div>{{ a<b and c>d }}</div><p>z</p>", "div insertAdjacentHTML|beforeend|q",
         "E_TEMPLATE"},
        {"<div>{{ a<b and c>d }}</div><p>z</p>", "div + p setText|q",
         "<div>{{ a<b and c>d }}</div><p>q</p>"},
        {"<p class='{{ a<b and c>d }}'>x</p>", "p addClass|q", "E_TEMPLATE"},
        {"<p {{ a<b and c>d }}>x</p>", "p addClass|q", "E_TEMPLATE"},
    };
    EDIT_CASES(cases);
}

static void tags_with_braces_of_jsx_are_left_alone(void **state)
{
    (void)state;
    static const editing_case cases[] = {
        {"<div id=b onClick={() => f()}>x</div>", "#b addClass|q", "E_TEMPLATE"},
        {"<div id=b onClick={() => f()}>x</div>", "#b setText|q", "E_TEMPLATE"},
        {"<div id=b onClick={() => f()}>x</div>", "#b remove", "E_TEMPLATE"},
        {"<div id=b onClick={() => f()}>x</div>", "#b insertAdjacentHTML|afterbegin|q",
         "E_TEMPLATE"},
        {"<div id=b onClick={() => f()}>x</div><p>y</p>", "p setText|q",
         "<div id=b onClick={() => f()}>x</div><p>q</p>"},
        {"<div id=b {...a}>x</div>", "#b addClass|q", "E_TEMPLATE"},
        {"<div id=b {...a}>x</div>", "#b setText|q", "<div id=b {...a}>q</div>"},
        {"<div id=b class={c}>x</div>", "#b addClass|q", "E_TEMPLATE"},
        {"<div id=b class= {c}>x</div>", "#b setAttribute|a|q", "E_TEMPLATE"},
        {"<div id=b a={ '>' }>x</div>", "#b setText|q", "E_TEMPLATE"},
        {"<a id=b href=/x/{id}>x</a>", "#b addClass|q", "<a id=b href=/x/{id} class=\"q\">x</a>"},
        {"<a id=b href='{id}'>x</a>", "#b addClass|q", "<a id=b href='{id}' class='q'>x</a>"},
        {"<Button on={() => f()}\n/>\n<Button id=b>x</Button>",
         "#b insertAdjacentHTML|beforebegin|q", "E_TEMPLATE"},
        {"<Button on={() => f()}\n/>\n<Button id=b>x</Button>", "#b setText|q",
         "<Button on={() => f()}\n/>\n<Button id=b>q</Button>"},
    };
    EDIT_CASES(cases);
}

static void operands_of_jsx_stay(void **state)
{
    (void)state;
    static const editing_case cases[] = {
        {"<main>{a < 3 && <p>x</p>}</main>", "p remove", "E_TEMPLATE"},
        {"<main>{a < 3 && <p>x</p>}</main>", "p insertAdjacentHTML|afterend|q", "E_TEMPLATE"},
        {"<main>{a < 3 && <p>x</p>}</main>", "p insertAdjacentHTML|beforebegin|q", "E_TEMPLATE"},
        {"<main>{a < 3 && <p>x</p>}</main>", "p insertAdjacentHTML|beforeend|q",
         "<main>{a < 3 && <p>xq</p>}</main>"},
        {"<main>{a < 3 && <p>x</p>}</main>", "p setText|q", "<main>{a < 3 && <p>q</p>}</main>"},
        {"<main>{a < 3 && <p>x</p>}</main>", "main setText|q", "<main>q</main>"},
        {"<main>{a ? <p title={b}>x</p> : <i>y</i>}</main>", "i remove", "E_TEMPLATE"},
        {"<main>{isA<b>(c)}</main>", "main insertAdjacentHTML|beforeend|<p>x</p>", "E_TEMPLATE"},
        {"<main>{isA<b>(c)}<p>x</p></main>", "p setText|q", "<main>{isA<b>(c)}<p>q</p></main>"},
        {"<main>1 <b>(c)</main>", "main insertAdjacentHTML|beforeend|<p>x</p>",
         "<main>1 <b>(c)</b><p>x</p></main>"},
        {"<ul>{a.map(b => (\n<li>x</li>\n))}</ul>", "li remove", "E_TEMPLATE"},
        {"<ul>{a.map(b => <li>x</li>)}</ul>", "li remove", "E_TEMPLATE"},
        {"<p>{a} or: <b>x</b></p>", "b remove", "<p>{a} or: </p>"},
        {"<p>(<b>x</b>)</p>", "b remove", "<p>()</p>"},
        {"<p>{{ a ? <b>x</b>", "b addClass|q", "<p>{{ a ? <b class=\"q\">x</b>"},
        {"@if (a) { who: <b>x</b> } else { (<i>y</i>) }", "i remove",
         "@if (a) { who: <b>x</b> } else { () }"},
        {"@if (a) { who: <b>x</b> }", "b remove", "@if (a) { who:  }"},
        {"<p className='a b'>x</p>", "p addClass|c", "E_TEMPLATE"},
        {"<p className='a b'>x</p>", "p setAttribute|className|a c", "<p className='a c'>x</p>"},
        {"<p className='a'>x<b>y</b></p>", "b addClass|c", "E_TEMPLATE"},
        {"<p className='a'>x<b>y</b></p>", "b setAttribute|className|c",
         "<p className='a'>x<b className=\"c\">y</b></p>"},
        {"<p className='a'>x<b class='d'>y</b><i>z</i></p>", "i addClass|c",
         "<p className='a'>x<b class='d'>y</b><i class=\"c\">z</i></p>"},
        {"<p classname='a'>x<b>y</b></p>", "b addClass|c",
         "<p classname='a'>x<b class=\"c\">y</b></p>"},
        {"<b>y</b><script>a.className = 1</script>", "b addClass|c",
         "<b class=\"c\">y</b><script>a.className = 1</script>"},
    };
    EDIT_CASES(cases);
}

static void code_that_belongs_together_stays_together(void **state)
{
    (void)state;
    static const editing_case cases[] = {
        {"<ul>\n{% for i in x %}\n<li class=x>{{i}}\n{% endfor %}\n</ul>", ".x setText|q",
         "E_TEMPLATE"},
        {"<ul>\n{% for i in x %}\n<li class=x>{{i}}\n{% endfor %}\n</ul>", ".x remove",
         "E_TEMPLATE"},
        {"<ul>{%- for i in x -%}<li class=x>{{i}}{%- endfor -%}</ul>",
         ".x insertAdjacentHTML|beforeend|q", "E_TEMPLATE"},
        {"<ul>{% for i in x %}<li class=x>{{i}}</li>{% endfor %}</ul>", ".x setText|q",
         "<ul>{% for i in x %}<li class=x>q</li>{% endfor %}</ul>"},
        {"<select>{% for i in x %}<option class=x>{{i}}{% endfor %}</select>", ".x remove",
         "E_TEMPLATE"},
        {"<div>{{#each a}}<p class=x>b{{/each}}</div>", ".x setText|q", "E_TEMPLATE"},
        {"<div>{{ if .A }}<p class=x>b{{ end }}</div>", ".x setText|q", "E_TEMPLATE"},
        {"<div><p class=x>{{ start }} {{ end }}</div>", ".x setText|q", "<div><p class=x>q</div>"},
        {"<dl><?php foreach ($a as $b): ?><dd class=x>b<?php endforeach; ?></dl>", ".x setText|q",
         "E_TEMPLATE"},
        {"<dl><?php if ($a) { ?><dd class=x>b<?php } ?></dl>", ".x setText|q", "E_TEMPLATE"},
        {"<dl><dd class=x>b<?php if ($a) { ?></dl><?php } ?>", ".x setText|q", "E_TEMPLATE"},
        {"<dl><% if a %><dd class=x>b<% end %></dl>", ".x remove", "E_TEMPLATE"},
        {"<dl><% a.each do |b| %><dd class=x>b<% end %></dl>", ".x remove", "E_TEMPLATE"},
        {"<dl><% if (a) { %><dd class=x>b<% } else { %><dd>c<% } %></dl>", ".x setText|q",
         "E_TEMPLATE"},
        {"{% if a %}<div class=x>{% else %}<div class=y>{% endif %}c</div>", ".x setText|q",
         "E_TEMPLATE"},
        {"<p class=x>{% mine %}a<p>{% endmine %}", ".x setText|q", "E_TEMPLATE"},
        {"<p class=x>{% mine %}a<p>{% mine %}{% endmine %}", ".x setText|q",
         "<p class=x>q<p>{% mine %}{% endmine %}"},
        {"<ul>{% for i in x %}<li class=x>{{i}}{% endfor %}</ul>", ".x setHTML|q{% endfor %}",
         "<ul>{% for i in x %}<li class=x>q{% endfor %}</ul>"},
        /* What is whole goes with its element. */
        {"<li class=x>{% if a %}b{% elif c %}d{% else %}e{% endif %}{% include 'f' %}",
         ".x setText|q", "<li class=x>q"},
        {"<li class=x>{{#if a}}b{{else}}c{{/if}}{{^d}}e{{/d}}{{> f}}{{$g}}", ".x setText|q",
         "<li class=x>q"},
        {"<li class=x>{{ if .A }}b{{ else if .B }}c{{ end }}{{ range .C }}d{{- end -}}",
         ".x setText|q", "<li class=x>q"},
        {"<li class=x><?php if ($a): ?>b<?php elseif ($c): ?><?php else: ?>d<?php endif ?>"
         "<?php while ($e) { /* } */ ?>f<?php } echo '}'; ?><?= $g ?>",
         ".x setText|q", "<li class=x>q"},
        {"<li class=x><?php if ($a): ?>b<?php echo $c; endif; ?>", ".x setText|q", "<li class=x>q"},
        {"<li class=x><% if a %>b<% elsif c %>d<% else %>e<% end %><% f do |g| %>h<% end %>"
         "<%= form(a) do %>i<% end %><% j if k %><%# end %>",
         ".x setText|q", "<li class=x>q"},
        {"<li class=x><% if (a) { %>b<% } else { %>c<% } %><% d.forEach(function (e) { %>f<% }) %>",
         ".x setText|q", "<li class=x>q"},
    };
    EDIT_CASES(cases);
}

static void calls_in_tags_are_code(void **state)
{
    (void)state;
    static const editing_case cases[] = {
        {"<div @class(['card' => $a]) id=c>x</div>", "div setText|q",
         "<div @class(['card' => $a]) id=c>q</div>"},
        {"<div @class(['card' => $a]) id=c>x</div>", "#c addClass|q", "E_TEMPLATE"},
        {"<button @disabled($n > 3) id=b>x</button>", "#b setText|q",
         "<button @disabled($n > 3) id=b>q</button>"},
        {"<input @checked($x->y) value='1'>", "input setAttribute|value|2", "E_TEMPLATE"},
        {"<p @if ($a > ')') x @endif>y</p>", "p setText|q", "<p @if ($a > ')') x @endif>q</p>"},
        {"<p @(a > 1 ? \"x\" : \"\") id=b>y</p>", "#b setText|q",
         "<p @(a > 1 ? \"x\" : \"\") id=b>q</p>"},
        {"<p @Html.Raw(a).Or(b > 1) id=b>y</p>", "#b setText|q",
         "<p @Html.Raw(a).Or(b > 1) id=b>q</p>"},
        {"<div #if($a > 1)class='x'#end id=d>y</div>", "#d setText|q",
         "<div #if($a > 1)class='x'#end id=d>q</div>"},
        {"<div #if($a > 1)class='x'#end id=d>y</div>", "#d addClass|q", "E_TEMPLATE"},
        {"<p @if($a > 1>y</p>", "p setText|q", "E_TEMPLATE"},
        /* These are names of attributes. */
        {"<p @click='f(a > 1)' :class='b'>y</p>", "p addClass|q",
         "<p @click='f(a > 1)' :class='b' class='q'>y</p>"},
        {"<p @fade (click)='f()' [x]='y' *ngIf='z' #ref>y</p>", "p setAttribute|id|i",
         "<p @fade (click)='f()' [x]='y' *ngIf='z' #ref id='i'>y</p>"},
        {"<p x-on:click.prevent='f()' hx-on::after-request=\"g('x')\">y</p>", "p setText|q",
         "<p x-on:click.prevent='f()' hx-on::after-request=\"g('x')\">q</p>"},
    };
    EDIT_CASES(cases);
}

static void a_tag_with_an_error_is_left_alone(void **state)
{
    (void)state;
    static const editing_case cases[] = {
        {"<p class=\"x @(a ? \"b\" : \"c\")\">y</p>", "p addClass|q", "E_TEMPLATE"},
        {"<p class=\"x @(a ? \"b\" : \"c\")\">y</p>", "p setAttribute|id|q", "E_TEMPLATE"},
        {"<p class=\"x @(a ? \"b\" : \"c\")\">y</p>", "p removeAttribute|id", "E_TEMPLATE"},
        {"<p class=\"x @(a ? \"b\" : \"c\")\">y</p>", "p setText|q",
         "<p class=\"x @(a ? \"b\" : \"c\")\">q</p>"},
        {"<p class=\"x @(a == \"b\" ? c > d : \"c\")\">y</p>", "p setText|q", "E_TEMPLATE"},
        {"<a href=\"@Url.Action(\"Index\", \"Home\")\">y</a>", "a setAttribute|href|q",
         "E_TEMPLATE"},
        {"<a href=\"<c:url value=\"/x\"/>\" class=l>y</a>", "a setText|q", "E_TEMPLATE"},
        {"<a href=\"<c:url value=\"/x\"/>\" class=l>y</a>", "a remove", "E_TEMPLATE"},
        {"<a href=\"<c:url value=\"/x\"/>\">y</a>", "a insertAdjacentHTML|afterbegin|q",
         "E_TEMPLATE"},
        {"<a href=\"<c:url value=\"/x\"/>\">y</a>", "a insertAdjacentHTML|beforebegin|q",
         "q<a href=\"<c:url value=\"/x\"/>\">y</a>"},
        {"<b><a href=\"<c:url value=\"/x\"/>\">y</a></b>", "b setText|q", "<b>q</b>"},
        {"<div class=${a > 1 ? \"x\" : \"y\"} id=d>y</div>", "div setText|q", "E_TEMPLATE"},
        {"<div class=\"a ${b ? \"x\" : \"y\"}\">y</div>", "div addClass|q", "E_TEMPLATE"},
        {"<div ${a} id=d>y</div>", "#d setText|q", "<div ${a} id=d>q</div>"},
        {"<div ${a} id=d>y</div>", "#d addClass|q", "E_TEMPLATE"},
        {"<p class=\"<#if a == \"x\">y</#if>\">y</p>", "p setText|q", "E_TEMPLATE"},
        {"a = \"<p class=\\\"a\\\">y</p>\"", "p addClass|q", "E_TEMPLATE"},
        {"a = \"<p class=\\\"a\\\">y</p>\"", "p setText|q", "a = \"<p class=\\\"a\\\">q</p>\""},
        {"<p class=a b\">y</p>", "p addClass|q", "E_TEMPLATE"},
        {"<p class=ab\">y</p>", "p addClass|q", "E_TEMPLATE"},
        {"<p a =>y</p>", "p setAttribute|b|q", "E_TEMPLATE"},
        {"<p ='a'>y</p>", "p setAttribute|b|q", "E_TEMPLATE"},
        /* The name of the tag has it. */
        {"<ul><List<T>\n items={a}\n>\n<p>y</p>\n</List></ul>", "ul > * setAttribute|b|q",
         "E_TEMPLATE"},
        {"<ul><List<T>\n items={a}\n>\n<p>y</p>\n</List></ul>",
         "ul > * insertAdjacentHTML|afterbegin|q", "E_TEMPLATE"},
        {"<ul><List<T>\n items={a}\n>\n<p>y</p>\n</List></ul>", "p setText|q",
         "<ul><List<T>\n items={a}\n>\n<p>q</p>\n</List></ul>"},
        {"<p\"class=x\">y</p>", "body > * addClass|q", "E_TEMPLATE"},
        /* A quote is missing. */
        {"<a href='x' class=\"a>L</a>\n<p class=\"q\">t</p>", "a addClass|z", "E_TEMPLATE"},
        {"<main><i class=\"a>L</i></main><p class=\"q\">t</p></main>", "main remove", "E_NO_END"},
        {"<main><i class=\"a>L</i></main><p class=\"q\">t</p></main>", "main addClass|z",
         "<main class=\"z\"><i class=\"a>L</i></main><p class=\"q\">t</p></main>"},
        {"<body><i class=\"a>L</i><b class=\"q\">t</b></i><p>u</p></body>", "p setText|z",
         "<body><i class=\"a>L</i><b class=\"q\">t</b></i><p>z</p></body>"},
        /* Nobody is wrong about these. */
        {"<a href=\"x\"class=\"y\">z</a>", "a addClass|q", "<a href=\"x\"class=\"y q\">z</a>"},
        {"<a onclick=f('x') href=?a=b>z</a>", "a addClass|q",
         "<a onclick=f('x') href=?a=b class=\"q\">z</a>"},
        {"<option value=>z</option>", "option setText|q", "<option value=>q</option>"},
        {"<p title='{{ \"a\" }}' {{ \"b\" }}>z</p>", "p setText|q",
         "<p title='{{ \"a\" }}' {{ \"b\" }}>q</p>"},
    };
    EDIT_CASES(cases);
}

/* With a word that begins, one that parts and one that ends. */
#define CHOICE(begins, parts, ends)                                                                \
    "<main><div id=o>" begins "<div class=x>" parts "<div class=y>" ends                           \
    "<p>c</p></div></div></main><b>f</b>"
#define CHOSEN(begins, parts, ends)                                                                \
    {CHOICE(begins, parts, ends), ".x remove", "E_TEMPLATE"},                                      \
        {CHOICE(begins, parts, ends), ".x setHTML|q", "E_TEMPLATE"},                               \
        {CHOICE(begins, parts, ends), ".y remove", "E_TEMPLATE"},                                  \
        {CHOICE(begins, parts, ends), "#o insertAdjacentHTML|beforeend|q", "E_TEMPLATE"},          \
        {CHOICE(begins, parts, ends), "p setText|q",                                               \
         "<main><div id=o>" begins "<div class=x>" parts "<div class=y>" ends                      \
         "<p>q</p></div></div></main><b>f</b>"},                                                   \
        {CHOICE(begins, parts, ends), "main setText|q", "<main>q</main><b>f</b>"},                 \
    {                                                                                              \
        CHOICE(begins, parts, ends), "main ~ b setText|q",                                         \
            "<main><div id=o>" begins "<div class=x>" parts "<div class=y>" ends                   \
            "<p>c</p></div></div></main><b>q</b>"                                                  \
    }

static void directives_choose_between_tags(void **state)
{
    (void)state;
    static const editing_case cases[] = {
        CHOSEN("@if($a > ')')\n", "@else\n", "@endif\n"),
        CHOSEN("@auth ", " @else ", " @endauth "),
        CHOSEN("@if (a <b) { ", "} else { ", "} "),
        CHOSEN("@if (a) {\n@:", "} @else if (b) {\n{c}", "}\n"),
        CHOSEN("{if $a <b}", "{else}", "{/if}"),
        CHOSEN("<#if (a >b)>", "<#else>", "</#if>"),
        CHOSEN("#if($a)", "#else", "#end"),
        CHOSEN("#if ($a)", "#{else}", "#{end}"),
        CHOSEN("{#if a && {b}.b}", "{:else}", "{/if}"),
        CHOSEN("@defer (on viewport) {", "} @placeholder {", "}"),
        CHOSEN("[#if a <b]", "[#else]", "[/#if]"),
        CHOSEN("[% IF a %]", "[% ELSE %]", "[% END %]"),
        CHOSEN("{{? a}}", "{{??}}", "{{?}}"),
        CHOSEN("@role('a')", "@elserole('b')", "@endrole"),
        {CHOICE("{if $a}", "{foreachelse}", "{/if}"), ".x addClass|q",
         "<main><div id=o>{if $a}<div class=\"x q\">{foreachelse}<div class=y>{/if}"
         "<p>c</p></div></div></main><b>f</b>"},
    };
    EDIT_CASES(cases);
}

static void directives_that_belong_together_stay_together(void **state)
{
    (void)state;
    static const editing_case cases[] = {
        {"<ul>@foreach($a as $b)<li class=x>b @endforeach</ul>", ".x remove", "E_TEMPLATE"},
        {"<ul>{foreach $a as $b}<li class=x>b{/foreach}</ul>", ".x setText|q", "E_TEMPLATE"},
        {"<ul><#list a as b><li class=x>b</#list></ul>", ".x setText|q", "E_TEMPLATE"},
        {"<ul>#foreach($b in $a)<li class=x>b #end</ul>", ".x setText|q", "E_TEMPLATE"},
        {"<ul>#foreach($b in $a)<li class=x>b#end</ul>", ".x setText|q", "E_TEMPLATE"},
        {"<p class=x>b#if($a)</p><p>#end</p>", ".x setText|q", "E_TEMPLATE"},
        {"<p class=x>b#if</p><p>##if($a)c#end</p>", ".x setText|q",
         "<p class=x>q</p><p>##if($a)c#end</p>"},
        {"<ul>@foreach (var b in a) {<li class=x>b{c}}</ul>", ".x setText|q", "E_TEMPLATE"},
        {"<ul>@foreach($a as $b)<li class=x>b</li>@endforeach</ul>", ".x remove",
         "<ul>@foreach($a as $b)@endforeach</ul>"},
        {"<ul>@foreach($a as $b)<li class=x>b</li>@endforeach</ul>", "ul setText|q", "<ul>q</ul>"},
        {"<p>#if($a)b#{else}c#end @if($d)e @endif {if $f}g{/if} <#if h>i</#if>@if (j) {k}</p>",
         "p setText|q", "<p>q</p>"},
        /* These say nothing. */
        {"<p class=x>me@if.org, {if} and {/if}, @if(a), #end</p>@endfor", ".x setText|q",
         "<p class=x>q</p>@endfor"},
        {"<p class=x>@@if($a)</p><p>@endif</p>", ".x setText|q", "<p class=x>q</p><p>@endif</p>"},
        {"<p class=x>@media (a) {</p><p>}</p>", ".x setText|q", "<p class=x>q</p><p>}</p>"},
        {"<a href='#end'>#if($a)</a><p>b</p>", "a setText|q", "<a href='#end'>q</a><p>b</p>"},
        {"<script>{if (a) {</script><p>b{/if}</p>", "p setText|q",
         "<script>{if (a) {</script><p>q</p>"},
    };
    EDIT_CASES(cases);
}

/* Text would end the head, behind which all elements have a place. */
static void code_leaves_the_head_open(void **state)
{
    (void)state;
#define HEAD(content) "<!doctype html><head>" content "</head><body>b</body>"
#define LINKED HEAD("<noscript>{% if a %}<link>{% endif %}</noscript>{{ b }}<script>c</script>")
#define PATTERNED HEAD("<template><p>{{ a }}</p></template>{{ b }}<script>c</script>")
    static const editing_case cases[] = {
        {LINKED, "script insertAdjacentHTML|beforebegin|<em>d</em>", "E_GUARD"},
        {LINKED, "link insertAdjacentHTML|beforebegin|<em>d</em>", "E_GUARD"},
        {LINKED, "link insertAdjacentHTML|afterend|<meta>",
         HEAD("<noscript>{% if a %}<link><meta>{% endif %}</noscript>{{ b }}<script>c</script>")},
        {LINKED, "noscript setHTML|<link>{{ d }}",
         HEAD("<noscript><link>{{ d }}</noscript>{{ b }}<script>c</script>")},
        {LINKED, "noscript setHTML|{{ d }}",
         HEAD("<noscript>{{ d }}</noscript>{{ b }}<script>c</script>")},
        {PATTERNED, "script insertAdjacentHTML|beforebegin|<em>d</em>", "E_GUARD"},
        {PATTERNED, "p setText|d", HEAD("<template><p>d</p></template>{{ b }}<script>c</script>")},
        {"<p>a</p><noscript>{{ b }} c</noscript>", "noscript:contains('c') setText|d",
         "<p>a</p><noscript>d</noscript>"},
    };
    EDIT_CASES(cases);
}

/* One that only code has is refused, one beside it is not. */
static void code_in_single_braces_has_no_classes(void **state)
{
    (void)state;
#define SVELTE "<p class=\"item {open ? active : closed}\">x</p>"
#define LITERAL "<p class=\"item ${open ? active : closed}\">x</p>"
    static const editing_case cases[] = {
        {SVELTE, "p removeClass|active", "E_TEMPLATE"},
        {SVELTE, "p replaceClass|active|on", "E_TEMPLATE"},
        {SVELTE, "p addClass|active", "<p class=\"item {open ? active : closed} active\">x</p>"},
        {SVELTE, "p removeClass|item", "<p class=\"{open ? active : closed}\">x</p>"},
        {SVELTE, "p replaceClass|item|card", "<p class=\"card {open ? active : closed}\">x</p>"},
        {LITERAL, "p removeClass|active", "E_TEMPLATE"},
        {LITERAL, "p replaceClass|active|on", "E_TEMPLATE"},
        {LITERAL, "p removeClass|item", "<p class=\"${open ? active : closed}\">x</p>"},
        {"<p class=\"a {b ? 'c' : ''}\">x</p>", "p removeClass|c", "E_TEMPLATE"},
        {"<p class=\"{$a|default: home }\">x</p>", "p removeClass|home", "E_TEMPLATE"},
        {"<p class=\"a @(b ? c : d)\">x</p>", "p removeClass|c", "E_TEMPLATE"},
        {"<p class=\"a @if (b) { c }\">x</p>", "p removeClass|c", "E_TEMPLATE"},
        {"<p class=a>x</p>", "p addClass|{b ? c : c}", "<p class=\"a {b ? c : c}\">x</p>"},
        {"<p class=\"a { b\">x</p>", "p addClass|c}", "E_TEMPLATE"},
        {"<p class=\"a { b\">x</p>", "p removeClass|b", "<p class=\"a {\">x</p>"},
        {"<p class=\"w-[calc(100%-{x})] [@media(a){&:b}]:c\">x</p>",
         "p removeClass|w-[calc(100%-{x})]", "<p class=\"[@media(a){&:b}]:c\">x</p>"},
        {"<p class=\"w-[calc(100%-{x})] hover:[&>p]:mt-4\">x</p>", "p removeClass|x",
         "<p class=\"w-[calc(100%-{x})] hover:[&>p]:mt-4\">x</p>"},
        {"<p class=\"@container @md:flex #a {} b\">x</p>", "p removeClass|c",
         "<p class=\"@container @md:flex #a {} b\">x</p>"},
        {"<p class=\"@container @md:flex #a {} b\">x</p>", "p removeClass|@md:flex {}",
         "<p class=\"@container #a b\">x</p>"},
    };
    EDIT_CASES(cases);
}

/* As those between {% if %} and {% endif %} are. */
#define CONDITIONAL(begins, ends)                                                                  \
    {"<p class='a " begins " b " ends "'>", "p addClass|b",                                        \
     "<p class='a " begins " b " ends " b'>"},                                                     \
        {"<p class='a " begins " b " ends "'>", "p removeClass|b",                                 \
         "<p class='a " begins " " ends "'>"},                                                     \
        {"<p class='a " begins " b " ends "'>", "p replaceClass|b|c", "E_TEMPLATE"},               \
        {"<p class='a " begins " b " ends "'>", "p removeClass|if", "E_TEMPLATE"},                 \
        {"<p class='a " begins "b " ends "'>", "p removeClass|b", "E_TEMPLATE"},                   \
        {"<p class='a'>", "p addClass|" begins " b " ends, "E_TEMPLATE"},                          \
    {                                                                                              \
        "<p class='a'>", "p addClass|" begins "-b" ends, "<p class='a " begins "-b" ends "'>"      \
    }

static void directives_choose_classes(void **state)
{
    (void)state;
    static const editing_case cases[] = {
        CONDITIONAL("{% if c == 1 %}", "{% endif %}"),
        CONDITIONAL("@if($c == 1)", "@endif"),
        CONDITIONAL("{if $c eq 1}", "{/if}"),
        CONDITIONAL("<#if c == 1 >", "</#if>"),
        CONDITIONAL("#if($c == 1)", "#end"),
        {"<p class='a#if($c) b#end'>", "p removeClass|b", "E_TEMPLATE"},
        {"<p class='a @if($b) c'>", "p addClass|c", "<p class='a @if($b) c'>"},
        {"<p class='a @if($b) c'>", "p removeClass|d", "<p class='a @if($b) c'>"},
        {"<p class='{if $a} b {else} c {/if} {if $d}e{/if} f'>", "p removeClass|c f",
         "<p class='{if $a} b {else} {/if} {if $d}e{/if}'>"},
    };
    EDIT_CASES(cases);
}

/* The element goes on around the end of what the page begins before it. */
#define TORN(begins, ends)                                                                         \
    {begins "\n<p class=x>a\n" ends "\n", ".x setText|q", "E_TEMPLATE"},                           \
    {                                                                                              \
        begins "\n<p class=x>a</p>\n" ends "\n", ".x setText|q",                                   \
            begins "\n<p class=x>q</p>\n" ends "\n"                                                \
    }

static void what_begins_by_any_name_ends_by_it(void **state)
{
    (void)state;
    static const editing_case cases[] = {
        TORN("@section(\"a\")", "@endsection"),
        TORN("@section(\"a\")", "@show"),
        TORN("@section(\"a\")", "@stop"),
        TORN("@pushOnce(\"a\")", "@endPushOnce"),
        TORN("@component('a', ['b' => $c])", "@endcomponent"),
        TORN("@php", "@endphp"),
        TORN("@hasSection('a')", "@endif"),
        TORN("@mydir()", "@endmydir()"),
        TORN("{#each items as { id, name }}", "{/each}"),
        TORN("{#snippet a(b)}", "{/snippet}"),
        TORN("{#await a then b}", "{/await}"),
        TORN("{strip}", "{/strip}"),
        TORN("{form name=\"a\"}", "{/form}"),
        TORN("<@layout.page\n a=1>", "</@layout.page>"),
        TORN("<#assign a>", "</#assign>"),
        TORN("[#list a as b]", "[/#list]"),
        TORN("[@a.b c=1]", "[/@a.b]"),
        TORN("@{ foreach (var a in b) {", "} }"),
        TORN("@section Scripts {", "}"),
        TORN("@try {", "} catch (A e) { }"),
        TORN("{{~ a :b }}", "{{~}}"),
        TORN("<%block name='a'>", "</%block>"),
        TORN("<% a %><%self:b c=\"d\">", "</%self:b><% e %>"),
        TORN("[% FOREACH a IN b %]", "[%- END -%]"),
        {"{#if a}\n<div class=x>\n{:else}\n<div class=y>\n{/if}\n<p>t</p>\n</div>\n", ".x remove",
         "E_TEMPLATE"},
        {"<ul>{#each a as i}<li class=x>{i}{:else}<li>b{/each}</ul>", ".x setText|q", "E_TEMPLATE"},
        {"@defer {\n<p class=x>a\n} @placeholder {\n<p>b\n}\n", ".x setText|q", "E_TEMPLATE"},
        {"{#if a}<p class=x>b{/if}", ".x setText|q", "E_TEMPLATE"},
        {"<ul>@section('a', 'b')<li class=x>c @yield('d')</ul>", ".x setText|q",
         "<ul>@section('a', 'b')<li class=x>q</ul>"},
        {"<p class=x>{first} {a b}b{/a}<@c/>{#if d}e{:else}f{/if} @once g @endonce @{ h }</p>",
         ".x setText|q", "<p class=x>q</p>"},
        /* These say nothing. */
        {"<p class=x>{/strip}, {name}, @show, @endphp, {:else}, </@a>, [#1], }\n<p>{strip}",
         ".x setText|q", "<p class=x>q\n<p>{strip}"},
        {"{<i class=x>a</i>} {b <i>c</i>}{/b}", ".x setText|q",
         "{<i class=x>q</i>} {b <i>c</i>}{/b}"},
        {"@b(<i class=x>a</i>)@endb", ".x setText|q", "@b(<i class=x>q</i>)@endb"},
        {"{#a b #}<p class=x>b{/a}", ".x setText|q", "{#a b #}<p class=x>q"},
        {"<@a/><p class=x>b</@a>", ".x setText|q", "<@a/><p class=x>q"},
        {"{{b c}}<p class=x>b{/b}", ".x setText|q", "{{b c}}<p class=x>q"},
        {"<p class=x>a {b}</p\n<p>c", ".x setText|q", "E_NO_END"},
    };
    EDIT_CASES(cases);
}

static void reasons_show_the_code(void **state)
{
    (void)state;
    editing e;
    editing_do(&e, EM_LIT("<ul>{% for i in x %}<li>{{i}}{% endfor %}</ul>"), "li setText|q");
    assert_string_equal(e.plan.outcomes[0].reason,
                        "HTML has \"{% endfor %}\" in <li>, though it belongs to code outside of "
                        "that, and it would go; write the end tag of the element before it first, "
                        "or edit it as text");
    editing_drop(&e);
    editing_do(&e, EM_LIT("<p id=a>{{ x </p> }}"), "#a remove");
    assert_string_equal(e.plan.outcomes[0].reason,
                        "\"{{ x </p> }}\" may be template code or HTML, and the edit would be "
                        "another in each of them; edit it as text");
    editing_drop(&e);
}

/* HTML would move it out of the table as text. */
static void directives_stay_in_a_table(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"@foreach($a as $b)", "@endforeach"}, {"@foreach (var a in b) {", "}"},
        {"{foreach $a as $b}", "{/foreach}"},  {"<#list a as b>", "</#list>"},
        {"#foreach($b in $a)", "#end"},        {"[% FOREACH b IN a %]", "[% END %]"},
        {"{% for b in a %}", "{% endfor %}"},
    };
    static const editing_case cases[] = {
        {"a<table>\n%s\n<tr><td>1</td></tr>\n%s\n</table>", "table remove", "a"},
        {"<table><tbody>%s<tr><td>1</td></tr>%s</tbody></table>",
         "table insertAdjacentHTML|afterend|<i>2</i>",
         "<table><tbody>%s<tr><td>1</td></tr>%s</tbody></table><i>2</i>"},
        {"<table><tr>%s<td>1</td>%s</tr></table>", "td remove", "<table><tr>%s%s</tr></table>"},
        {"<table><tr>%s<td>1</td>%s</tr></table>", "tr insertAdjacentHTML|beforeend|<td>2</td>",
         "<table><tr>%s<td>1</td>%s<td>2</td></tr></table>"},
        {"<table><tbody>%s<tr></tr>%s</tbody></table>", "tbody setHTML|<tr><td>2</td></tr>",
         "<table><tbody><tr><td>2</td></tr></tbody></table>"},
        {"<table><tbody>%s<tr></tr>%s</tbody></table>", "table > tbody > tr:only-child addClass|c",
         "<table><tbody>%s<tr class=\"c\"></tr>%s</tbody></table>"},
        {"<table><tbody>%s<tr></tr>%s</tbody></table>", "tr insertAdjacentHTML|afterend|<tr></tr>",
         "<table><tbody>%s<tr></tr><tr></tr>%s</tbody></table>"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            EM_AUTO(em_arena) arena = {0};
            const char *begin = pairs[i][0], *end = pairs[i][1];
            editing_case whole = {em_arena_format(&arena, cases[k].page, begin, end), cases[k].op,
                                  em_arena_format(&arena, cases[k].result, begin, end)};
            editing_check(&whole, 1);
        }
    static const editing_case alone[] = {
        {"<table>@if(a)<tr><td>1</table>", "table remove", "E_FOSTER"},
        {"<table><tbody></tbody></table>", "tbody setHTML|@if($a)<tr></tr>@endif",
         "<table><tbody>@if($a)<tr></tr>@endif</tbody></table>"},
        {"<table><tbody></tbody></table>", "tbody setHTML|@if($a)<tr></tr>", "E_GUARD"},
        {"<table>@if($a)<tr></tr>@endif</table><p>@if($b)c @endif</p>", "p:contains('@if') remove",
         "<table>@if($a)<tr></tr>@endif</table>"},
    };
    EDIT_CASES(alone);
}

/* For HTML that is text, behind which no tag of <head> or <body> counts. */
static void what_comes_before_a_page_is_left_alone(void **state)
{
    (void)state;
#define REST                                                                                       \
    "<!DOCTYPE html>\n<html lang=a><head><title>b</title></head><body><p>c</p></body></html>"
    static const char *const before[] = {
        "@model A.B\n",
        "@using A\n@{\n    Layout = null;\n}\n",
        "@(a: B)(c: Html)\n",
        "#set($a = 1)\n",
        "<#assign a=1>\n<#import \"b\" as c>\n",
        "{include file=\"a\"}\n",
        "<%inherit file=\"a\"/>\n",
        "---\nlayout: a\ntitle: \"<b>\"\n---\n",
        "<?php echo '<?xml version=\"1.0\"?>'; ?>\n",
        "\xEF\xBB\xBF@model A\r\n",
    };
    static const editing_case cases[] = {
        {REST, "head insertAdjacentHTML|beforeend|<meta>",
         "<!DOCTYPE html>\n<html lang=a><head><title>b</title><meta></head><body><p>c</p></body>"
         "</html>"},
        {REST, "html setAttribute|lang|d",
         "<!DOCTYPE html>\n<html lang=d><head><title>b</title></head><body><p>c</p></body></html>"},
        {REST, "body addClass|d",
         "<!DOCTYPE html>\n<html lang=a><head><title>b</title></head><body class=\"d\"><p>c</p>"
         "</body></html>"},
        {REST, "body > p:only-child remove",
         "<!DOCTYPE html>\n<html lang=a><head><title>b</title></head><body></body></html>"},
        {REST, "b setText|d", "E_NO_MATCH"},
    };
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            EM_AUTO(em_arena) arena = {0};
            bool fails = cases[k].result[0] == 'E';
            editing_case whole = {
                em_arena_format(&arena, "%s%s", before[i], cases[k].page), cases[k].op,
                fails ? cases[k].result
                      : em_arena_format(&arena, "%s%s", before[i], cases[k].result)};
            editing_check(&whole, 1);
        }
#undef REST
}

static void doubts_are_found_in_what_was_written(void **state)
{
    (void)state;
    editing e;
    editing_do(&e, EM_LIT("<p>a</p>"), "p setHTML|{{ x <b>y</b> }};;b setText|q");
    assert_int_equal(e.plan.outcomes[0].status, EM_DOM_APPLIED);
    assert_int_equal(e.plan.outcomes[1].code, EM_DOM_E_TEMPLATE);
    editing_drop(&e);
}

/* Beginnings without an end take no longer than anything else. */
int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(code_that_looks_like_a_tag_is_code),
        cmocka_unit_test(braces_in_doubt_are_left_alone),
        cmocka_unit_test(tags_with_braces_of_jsx_are_left_alone),
        cmocka_unit_test(operands_of_jsx_stay),
        cmocka_unit_test(code_that_belongs_together_stays_together),
        cmocka_unit_test(calls_in_tags_are_code),
        cmocka_unit_test(a_tag_with_an_error_is_left_alone),
        cmocka_unit_test(directives_choose_between_tags),
        cmocka_unit_test(directives_that_belong_together_stay_together),
        cmocka_unit_test(code_leaves_the_head_open),
        cmocka_unit_test(code_in_single_braces_has_no_classes),
        cmocka_unit_test(directives_choose_classes),
        cmocka_unit_test(what_begins_by_any_name_ends_by_it),
        cmocka_unit_test(reasons_show_the_code),
        cmocka_unit_test(directives_stay_in_a_table),
        cmocka_unit_test(what_comes_before_a_page_is_left_alone),
        cmocka_unit_test(doubts_are_found_in_what_was_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
