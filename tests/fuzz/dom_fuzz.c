/* dom_fuzz.c: any operation on any page.
 *
 * The input is a byte for the action, one for the position and for how many are meant, and then
 * selector, name (of an attribute, or the old class), value and page, with a bar between. The page
 * that comes out reads as meant (the engine's guard says so), every byte outside of the changes is
 * as it was, selectors that are suggested match one element, and what was done needs not be done
 * again. Two operations together come to what they come to one after the other.
 */
#include "fuzz.h"

#include "dom/dom.h"
#include "html/parse.h"

enum { HEAD = 2 };

#define PAGE(html) html "<ul class=\"a b\">\n  <li>One\n  <li id=x>Two &amp; three\n</ul>"

const em_slice em_fuzz_seeds[] = {
    SEED("\0\0li|title|v|" PAGE("<!DOCTYPE html><html><body>")),
    SEED("\1\1#x|id||" PAGE("")),
    SEED("\2\2li:first-child||a<b|" PAGE("<p>x<div>")),
    SEED("\3\3ul||<li>q</li>|" PAGE("<form>a</form>b")),
    SEED("\4\4ul||c d|" PAGE("<table><tr><td>")),
    SEED("\5\5.a||a|" PAGE("<pre>\nx</pre>")),
    SEED("\6\0ul|a|c|" PAGE("<?php if ($a > 1) ?>")),
    SEED("\7\1li:last-child|||" PAGE("{% for a in b %}")),
    SEED("\10\2ul||<i>n</i>|" PAGE("<svg viewBox='1'><path d=x/></svg>")),
    SEED("\10\3p||<b>n</b>|<p>a<p>b<b>1<p>2</b>3"),
    SEED("\10\7li||n|<div {{#if a}}class=\"b\"{{/if}} id=q><textarea>\nq</textarea>"),
    SEED("\2\4h2,td,option||a<b|<!DOCTYPE html PUBLIC 'html'><h2>x &amp; "
         "y</h2><p><table><tr><td>z</td>"
         "</table><select><option>w</option></select><b><i>v</b>"),
    SEED("\2\4*:contains(x):not(:has(*))||n|<form><p>x</form><button><a>x<b>x</a>x</"
         "button><svg>x<desc>x</svg>"),
    SEED("\2\0script||a</b|<script>x</script><style>p</style></body></html>\n"),
    SEED("\2\0p||q|<div id=o>@if($a > 1)<div class=x>@else<div "
         "@class(['y'])>@endif<p>c</div></div>"),
    SEED(
        "\7\0#x|||<ul>@foreach (a) {<li id=x class=\"@(b ? \"c\" : d)\">{e && <b>f</b>}} else {g}"),
    SEED("\3\2b||<i class=${q}>|{if $a<b}<b>{else}<#if (c>d)></b></#if>{/if}#if($e)<b>#end<b>"),
    SEED("\4\0p||.a .b|<main><div><p class=\\\"a\\\">x<div></main></div></div><p className=c>"),
    {NULL, 0},
};
const em_slice em_fuzz_words[] = {
    SEED("<p>"),
    SEED("</p>"),
    SEED("<table>"),
    SEED("</table>"),
    SEED("<tr><td>"),
    SEED("<b>"),
    SEED("</b>"),
    SEED("<form>"),
    SEED("</form>"),
    SEED("<body a=1>"),
    SEED("</body>"),
    SEED("<svg>"),
    SEED("</svg>"),
    SEED("<path/>"),
    SEED("<!-- "),
    SEED("-->"),
    SEED("<![CDATA["),
    SEED("]]>"),
    SEED("<script>"),
    SEED("</script>"),
    SEED("<textarea>\n"),
    SEED("<template>"),
    SEED("<select><option>"),
    SEED("<isindex>"),
    SEED("<frameset>"),
    SEED("{{ a }}"),
    SEED("{% b %}"),
    SEED("<%= c > d %>"),
    SEED("<?php \"'> ?>"),
    SEED("@if(a)"),
    SEED("@else "),
    SEED("@endif "),
    SEED("@if (a) {"),
    SEED("} else {"),
    SEED("{if a}"),
    SEED("{/if}"),
    SEED("<#if a>"),
    SEED("</#if>"),
    SEED("#if(a)"),
    SEED("#end "),
    SEED(" @class(['a'])"),
    SEED("=${a}"),
    SEED("{a && "),
    SEED(" class=\"a b\""),
    SEED(" id=x"),
    SEED("&#32;"),
    SEED("&amp;"),
    SEED("\r\n"),
    SEED("\xEF\xBB\xBF"),
    SEED("\xC3\xBC"),
    SEED("|"),
    SEED("*"),
    SEED(":has(b)"),
    {NULL, 0},
};

static em_slice next_part(em_slice *rest)
{
    const char *bar = memchr(rest->ptr, '|', rest->len);
    size_t length = bar ? (size_t)(bar - rest->ptr) : rest->len;
    em_slice part = em_slice_sub(*rest, 0, length);
    *rest = em_slice_from(*rest, bar ? length + 1 : length);
    return part;
}

static em_slice laid_in(em_arena *arena, em_slice page, em_splices list)
{
    size_t length = page.len, at = 0, end = 0;
    for (size_t i = 0; i < list.count; i++)
        length += list.items[i].insert.len;
    char *out = em_alloc_raw(arena, length + 1);
    HOLDS(out);
    for (size_t i = 0; i < list.count; i++) {
        const em_splice *splice = &list.items[i];
        HOLDS(splice->offset >= at && splice->offset + splice->length <= page.len);
        HOLDS(splice->length > 0 || splice->insert.len > 0);
        memcpy(out + end, page.ptr + at, splice->offset - at);
        end += splice->offset - at;
        memcpy(out + end, splice->insert.ptr, splice->insert.len);
        end += splice->insert.len;
        at = splice->offset + splice->length;
    }
    memcpy(out + end, page.ptr + at, page.len - at);
    return em_slice_make(out, end + page.len - at);
}

static void check_changes(const em_dom_outcome *outcome, em_slice old, em_slice made)
{
    size_t before = 0, after = 0;
    for (size_t i = 0; i <= outcome->change_count; i++) {
        em_dom_change change = {{old.len, old.len}, {made.len, made.len}};
        if (i < outcome->change_count)
            change = outcome->changes[i];
        HOLDS(change.before.start >= before && change.before.end <= old.len);
        HOLDS(change.after.start >= after && change.after.end <= made.len);
        HOLDS(em_slice_eq(em_slice_sub(old, before, change.before.start),
                          em_slice_sub(made, after, change.after.start)));
        before = change.before.end;
        after = change.after.end;
    }
}

static void check_hints(em_slice page, em_dom_hints hints)
{
    EM_AUTO(em_arena) arena = {0};
    em_page tree;
    em_error err = EM_ERROR_INIT;
    if (hints.count == 0)
        return;
    HOLDS(em_page_parse(page, NULL, &arena, &tree, &err) == EM_OK);
    for (size_t i = 0; i < hints.count; i++) {
        const em_selector *selector;
        em_selector_error error;
        em_nodes found;
        HOLDS(hints.items[i].line > 0);
        HOLDS(em_selector_compile(hints.items[i].selector, &arena, &selector, &error) == EM_OK);
        HOLDS(em_select(&tree, selector, NULL, &arena, &found) == EM_OK);
        HOLDS(found.count == 1);
    }
}

/* What was asked for is so now, where the selector still means the same. */
static void check_again(const em_dom_op *op, em_slice made, em_arena *arena, size_t matches)
{
    em_dom_plan plan;
    em_error err = EM_ERROR_INIT;
    if (op->action == EM_DOM_REMOVE || op->action == EM_DOM_INSERT_ADJACENT_HTML ||
        op->action == EM_DOM_SET_HTML || op->action == EM_DOM_REPLACE_CLASS)
        return;
    HOLDS(em_dom_plan_make(made, op, 1, NULL, arena, &plan, &err) == EM_OK);
    if (plan.failed_count == 0 && plan.outcomes[0].matches == matches)
        HOLDS(plan.splices.count == 0 || matches > 1);
}

/* Two ops together come to the same as one after the other, where neither fails. */
static void check_sequence(const em_dom_op *first, em_dom_action second, em_slice page,
                           em_slice made, em_arena *arena)
{
    em_dom_op ops[2] = {*first, *first};
    em_dom_plan alone, together;
    em_error err = EM_ERROR_INIT;
    ops[1].action = second;
    HOLDS(em_dom_plan_make(made, &ops[1], 1, NULL, arena, &alone, &err) == EM_OK);
    HOLDS(em_dom_plan_make(page, ops, 2, NULL, arena, &together, &err) == EM_OK);
    em_slice both = laid_in(arena, page, together.splices);
    if (alone.failed_count == 0 && together.failed_count == 0)
        HOLDS(em_slice_eq(laid_in(arena, made, alone.splices), both));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    EM_AUTO(em_arena) arena = {0};
    em_dom_plan plan;
    em_error err = EM_ERROR_INIT;
    if (size < HEAD || size > 4096)
        return 0;
    em_slice rest = em_slice_make((const char *)data + HEAD, size - HEAD);
    em_dom_op op = {.action = (em_dom_action)(data[0] % EM_DOM_NO_ACTION),
                    .position = (em_dom_position)(data[1] % 4),
                    .all = data[1] & 4 ? EM_DOM_ALL_TRUE : EM_DOM_ALL_UNSET};
    op.selector = next_part(&rest);
    op.attr = op.old_class = next_part(&rest);
    op.value = op.new_class = next_part(&rest);
    em_status status = em_dom_plan_make(rest, &op, 1, NULL, &arena, &plan, &err);
    if (status != EM_OK) {
        HOLDS(status == EM_E_BINARY || status == EM_E_INVALID);
        HOLDS(err.detail[0] != '\0');
        return 0;
    }
    const em_dom_outcome *outcome = &plan.outcomes[0];
    em_slice made = laid_in(&arena, rest, plan.splices);
    check_changes(outcome, rest, made);
    check_hints(rest, outcome->similar);
    check_hints(rest, outcome->candidates);
    HOLDS((outcome->status == EM_DOM_FAILED) == (outcome->code != EM_DOM_OK));
    HOLDS((outcome->status == EM_DOM_FAILED) == (outcome->reason[0] != '\0'));
    if (outcome->status == EM_DOM_FAILED)
        HOLDS(plan.splices.count == 0);
    else
        check_again(&op, made, &arena, outcome->matches);
    if (outcome->status != EM_DOM_FAILED)
        check_sequence(&op, (em_dom_action)((data[1] >> 4) % EM_DOM_NO_ACTION), rest, made, &arena);
    return 0;
}
