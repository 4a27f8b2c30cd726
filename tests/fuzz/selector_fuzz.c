/* selector_fuzz.c: selectors, right and wrong ones.
 *
 * A wrong one has a reason, a place inside of it, and a suggestion that compiles. A right one is
 * asked of a page that was made once: what it matches is in order, ":is()" around it matches the
 * same,
 * ":not()" around it all others, and its prefixes fail exactly where it does.
 */
#include "fuzz.h"

#include "html/ids.h"
#include "html/parse.h"
#include "selectors/places.h"
#include "selectors/select.h"

#include <time.h>

const em_slice em_fuzz_seeds[] = {
    SEED("div.a > p:nth-child(2n+1 of .b, #c) ~ i:not(:has(> b))"),
    SEED(".hover:bg-[#fff]/2:w-1.5 p:frist"),
    SEED("[title^='x' i][lang|=en] + [data-k!=\"\\41 b\"], :lang(de, '*-CH'):dir(rtl)"),
    SEED("li:eq(1) b:first, p:not(:last):contains(a (b)), :icontains('X')"),
    SEED(":is(:where(div p), b):disabled, :selected, :read-write, :default:indeterminate"),
    SEED("#1a > svg|a, a >> b, [x=/y], p{c}"),
    SEED("div:has(:scope > p + p):has(~ ul) /* c */ *:empty:root"),
    {NULL, 0},
};
const em_slice em_fuzz_words[] = {
    SEED(":is("),
    SEED(":not("),
    SEED(":has("),
    SEED(":nth-child("),
    SEED(" of "),
    SEED(")"),
    SEED(" > "),
    SEED(" ~ "),
    SEED(" + "),
    SEED(","),
    SEED("["),
    SEED("]"),
    SEED("='"),
    SEED("\""),
    SEED("\\"),
    SEED(".a"),
    SEED("#b"),
    SEED("p"),
    SEED("*"),
    SEED("2n+1"),
    SEED("-n-3"),
    SEED(":first"),
    SEED(":eq(1)"),
    SEED(":hover"),
    SEED("::before"),
    SEED("/*"),
    SEED("*/"),
    SEED("|"),
    SEED("\xC3\xBC"),
    SEED(":scope"),
    SEED(":empty"),
    SEED(":contains("),
    SEED(":lang("),
    SEED(":disabled"),
    SEED(":nth-last-of-type("),
    SEED("even"),
    SEED(":last"),
    SEED(":not(:first)"),
    SEED("{"),
    SEED(" i]"),
    {NULL, 0},
};

/* Of the processor, since the machine may have much else to do. */
enum { MOST_SECONDS = 2 };

static const char html[] =
    "<!DOCTYPE html><html lang=de><body class=a><div class='a b' id=b><p title=x>a<b>b</b></p>"
    "<p id=1a class='hover:x w-1/2' dir=rtl>(b)</p><!-- c --><i></i></div><form><select>"
    "<option>x<option selected>y</select><input type=checkbox checked disabled><input type=radio>"
    "<button>a</button></form><ul><li>1<li class=b>2<li lang=fr-CH>3<ul><li></ul></ul>"
    "<svg viewBox='0'><linearGradient/></svg><p contenteditable>\xC3\xBC<br>X</p></body></html>";

static em_arena page_arena;
static em_page page;

static void open_page(void)
{
    em_error err = EM_ERROR_INIT;
    if (page.count == 0)
        HOLDS(em_page_parse(em_slice_of(html), NULL, &page_arena, &page, &err) == EM_OK);
}

static void check_wrong(em_slice text, const em_selector_error *error, em_arena *arena)
{
    const em_selector *unused;
    em_selector_error again;
    HOLDS(error->at <= text.len && error->reason[0] != '\0');
    if (error->suggested.len > 0)
        HOLDS(em_selector_compile(error->suggested, arena, &unused, &again) == EM_OK);
    if (error->instead.len > 0)
        HOLDS(em_selector_compile(error->instead, arena, &unused, &again) == EM_OK);
}

static em_nodes found_by(const em_selector *selector, em_arena *arena)
{
    clock_t began = clock();
    em_nodes found;
    HOLDS(em_select(&page, selector, NULL, arena, &found) == EM_OK);
    HOLDS(clock() - began < MOST_SECONDS * CLOCKS_PER_SEC);
    for (size_t i = 0; i < found.count; i++) {
        HOLDS(found.items[i]->kind == EM_NODE_ELEMENT);
        HOLDS(i == 0 || found.items[i - 1]->index < found.items[i]->index);
    }
    return found;
}

static void check_same(const em_selector *selector, em_nodes found, em_arena *arena)
{
    em_nodes same = found_by(selector, arena);
    HOLDS(same.count == found.count);
    for (size_t i = 0; i < found.count; i++)
        HOLDS(same.items[i] == found.items[i]);
}

/* With the ids at hand it finds the same, and with places among siblings. */
static void check_by_lists(const em_selector *selector, em_nodes found, em_arena *arena)
{
    EM_AUTO(em_sibling_places) places = {0};
    em_ids ids;
    HOLDS(em_ids_make(&page, arena, &ids) == EM_OK);
    page.ids = &ids;
    check_same(selector, found, arena);
    page.places = &places;
    check_same(selector, found, arena);
    page.ids = NULL;
    check_same(selector, found, arena);
    page.places = NULL;
}

/* `text` inside of parentheses, unless that is one level too many or it holds a position. */
static bool wrapped(const char *name, em_slice text, em_arena *arena, em_nodes *found)
{
    const em_selector *selector;
    em_selector_error error;
    char *inside = em_arena_format(arena, "%s(%.*s\n)", name, (int)text.len, text.ptr);
    HOLDS(inside);
    if (em_selector_compile(em_slice_of(inside), arena, &selector, &error) != EM_OK)
        return false;
    *found = found_by(selector, arena);
    return true;
}

static size_t element_count(void)
{
    size_t count = 0;
    for (size_t i = 0; i < page.count; i++)
        count += page.nodes[i]->kind == EM_NODE_ELEMENT;
    return count;
}

static void check_prefixes(const em_selector *selector, em_slice text, em_nodes found,
                           em_arena *arena)
{
    em_prefixes prefixes;
    HOLDS(em_selector_prefixes(&page, selector, NULL, arena, &prefixes) == EM_OK);
    HOLDS(prefixes.count > 0 && prefixes.alternative < prefixes.alternatives);
    for (size_t i = 0; i < prefixes.count; i++) {
        const em_prefix *prefix = &prefixes.items[i];
        HOLDS(prefix->part.len > 0 && prefix->part.len <= prefix->text.len);
        HOLDS(prefix->text.len <= text.len);
        HOLDS(prefix->count > 0 || i + 1 == prefixes.count);
    }
    HOLDS((prefixes.items[prefixes.count - 1].count == 0) == (found.count == 0));
}

static void check_right(const em_selector *selector, em_slice text, em_arena *arena)
{
    em_nodes found = found_by(selector, arena), same, others;
    check_by_lists(selector, found, arena);
    check_prefixes(selector, text, found, arena);
    if (wrapped(":is", text, arena, &same)) {
        HOLDS(same.count == found.count);
        for (size_t i = 0; i < same.count; i++)
            HOLDS(same.items[i] == found.items[i]);
    }
    if (wrapped("*:not", text, arena, &others))
        HOLDS(others.count + found.count == element_count());
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    EM_AUTO(em_arena) arena = {0};
    em_slice text = em_slice_make((const char *)data, size);
    const em_selector *selector;
    em_selector_error error;
    open_page();
    em_status status = em_selector_compile(text, &arena, &selector, &error);
    HOLDS(status == EM_OK || status == EM_E_INVALID);
    if (status == EM_OK)
        check_right(selector, text, &arena);
    else
        check_wrong(text, &error, &arena);
    return 0;
}
