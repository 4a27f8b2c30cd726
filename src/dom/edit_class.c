/* edit_class.c: classes are added to, cut out of and swapped in the value as it is written.
 *
 * The value is taken twice: as the tree has it, to know the classes, and as it is written, to
 * change it. The two have the same blanks, so class number i of the one is number i of the other.
 * Code of a template, with what stands directly beside it, is a word of its own, which is no class
 * and stays. What it makes of the value is not known: a class that is to go must stand there
 * itself, or be named with its code as it stands.
 */
#include "dom/edit.h"
#include "html/code.h"
#include "html/directed.h"
#include "html/escape.h"
#include "html/tag.h"
#include "html/value_code.h"

#include "base/strbuf.h"
#include "base/utf8.h"

#include <stdlib.h>

/* Words that are more than these are sorted before more than these are looked for. */
enum { FEW_WORDS = 8 };

#define CLASS_NAME EM_LIT("className")

/* A value as words and the blanks before each; `tail`: those behind the last. */
typedef struct em_word {
    em_slice blanks, text;
    em_range pieces; /* of the code: those in it */
    bool chosen;     /* code decides whether it is there */
} em_word;

typedef struct em_class_words {
    em_slice value;
    em_word *items;
    size_t count;
    em_value_code code;
    em_slice tail;
    const em_word **sorted; /* as find() wants them, by text; NULL: there are few */
} em_class_words;

/* What is to become of a word. */
typedef struct em_word_fate {
    bool old;                /* it is one of those that are named to go */
    bool gone;               /* and none of those that are to be there */
    em_range before, behind; /* the new words that come to stand beside it */
} em_word_fate;

typedef struct em_class_change {
    em_word_fate *fates;  /* of each word */
    em_class_words fresh; /* new words, none of them there already */
    bool appends;         /* all of these come behind the others */
    bool changes;
} em_class_change;

static bool is_coded(const em_word *word)
{
    return word->pieces.end > word->pieces.start;
}

/* Where in the value it stands. */
static em_range word_range(const em_class_words *words, const em_word *word)
{
    size_t start = (size_t)(word->text.ptr - words->value.ptr);
    return (em_range){start, start + word->text.len};
}

static size_t skip_blanks(em_slice value, size_t at)
{
    while (at < value.len && em_html_space(value.ptr[at]))
        at++;
    return at;
}

/* Behind the word that begins at `at`: there are no blanks in it but those of code. `piece`: the
 * next of that. */
static size_t word_end(em_slice value, const em_value_code *code, size_t at, size_t *piece)
{
    while (at < value.len && !em_html_space(value.ptr[at])) {
        bool is_code = *piece < code->count && code->pieces[*piece].start == at;
        at = is_code ? code->pieces[(*piece)++].end : at + 1;
    }
    return at;
}

static int by_text(const void *a, const void *b)
{
    const em_word *x = *(const em_word *const *)a, *y = *(const em_word *const *)b;
    int by = em_slice_order(x->text, y->text);
    if (by != 0)
        return by;
    return x->chosen != y->chosen ? x->chosen - y->chosen : (x > y) - (x < y);
}

/* So that many are found in it. */
static em_status sort(em_class_words *words, size_t many, em_arena *arena)
{
    if (words->count <= FEW_WORDS || many <= FEW_WORDS)
        return EM_OK;
    words->sorted = em_alloc_array(arena, words->count, sizeof *words->sorted);
    if (!words->sorted)
        return EM_E_NOMEM;
    for (size_t i = 0; i < words->count; i++)
        words->sorted[i] = &words->items[i];
    qsort(words->sorted, words->count, sizeof *words->sorted, by_text);
    return EM_OK;
}

static em_status split(em_slice value, em_arena *arena, em_class_words *words)
{
    const em_value_code *code = &words->code;
    size_t room = 0, piece = 0;
    *words = (em_class_words){.value = value};
    EM_TRY(em_value_code_read(value, arena, &words->code));
    for (size_t at = 0;;) {
        size_t start = skip_blanks(value, at), first = piece;
        size_t end = word_end(value, code, start, &piece);
        if (start == end) {
            words->tail = em_slice_sub(value, at, start);
            return EM_OK;
        }
        EM_TRY(em_arena_grow(arena, (void **)&words->items, words->count, &room,
                             sizeof *words->items));
        words->items[words->count++] =
            (em_word){.blanks = em_slice_sub(value, at, start),
                      .text = em_slice_sub(value, start, end),
                      .pieces = {first, piece},
                      .chosen = start >= code->chosen.start && start < code->chosen.end};
        at = end;
    }
}

static size_t find_sorted(const em_class_words *words, em_slice text)
{
    size_t low = 0, high = words->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (em_slice_order(words->sorted[middle]->text, text) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < words->count && em_slice_eq(words->sorted[low]->text, text);
    return found ? (size_t)(words->sorted[low] - words->items) : EM_NPOS;
}

/* One of this text, and rather one that is there whatever code decides; the first of these. */
static size_t find(const em_class_words *words, em_slice text)
{
    size_t found = EM_NPOS;
    if (words->sorted)
        return find_sorted(words, text);
    for (size_t i = 0; i < words->count; i++) {
        if (!em_slice_eq(words->items[i].text, text))
            continue;
        if (!words->items[i].chosen)
            return i;
        found = found == EM_NPOS ? i : found;
    }
    return found;
}

/* Does it stand there whatever code decides, and is it to stay? */
static bool stays(const em_class_words *there, const em_word_fate *fates, size_t at)
{
    return at != EM_NPOS && !fates[at].gone && !there->items[at].chosen;
}

/* Those of `wanted` that are not there, each once. */
static em_status find_fresh(em_edit_plan *plan, const em_class_words *wanted,
                            const em_class_words *there, const em_word_fate *fates,
                            em_class_words *fresh)
{
    fresh->items = em_alloc_array(plan->scratch, wanted->count, sizeof *fresh->items);
    if (!fresh->items)
        return EM_E_NOMEM;
    for (size_t i = 0; i < wanted->count; i++) {
        em_slice text = wanted->items[i].text;
        if (!stays(there, fates, find(there, text)) && find(wanted, text) == i)
            fresh->items[fresh->count++] = wanted->items[i];
    }
    return EM_OK;
}

/* The first of `wanted` that is not there; EM_NPOS. */
static size_t find_lacking(const em_class_words *words, const em_class_words *wanted)
{
    for (size_t i = 0; i < wanted->count; i++)
        if (find(words, wanted->items[i].text) == EM_NPOS)
            return i;
    return EM_NPOS;
}

/* Mark all words that are among `old`. */
static void mark_old(const em_class_words *words, const em_class_words *old, em_word_fate *fates)
{
    for (size_t i = 0; i < words->count; i++)
        fates[i].old = fates[i].gone = find(old, words->items[i].text) != EM_NPOS;
}

/* A class that is to be there is not taken out. */
static void keep_wanted(const em_class_words *words, const em_class_words *wanted,
                        em_word_fate *fates)
{
    for (size_t i = 0; i < words->count; i++)
        fates[i].gone &= find(wanted, words->items[i].text) == EM_NPOS;
}

/* The first old word from `at` on; the count of them where there is none. */
static size_t next_old(const em_class_words *words, const em_word_fate *fates, size_t at)
{
    while (at < words->count && !fates[at].old)
        at++;
    return at;
}

/* Where new words go that `wanted` has behind the old one at `kept`: to the place of the next old
 * one if that goes, and else right behind it. */
static em_range *place_behind(const em_class_words *words, em_word_fate *fates, size_t kept)
{
    size_t next = next_old(words, fates, kept + 1);
    return next < words->count && fates[next].gone ? &fates[next].before : &fates[kept].behind;
}

/* Where those go that it has before all old ones that stay. */
static em_range *place_before(const em_class_words *words, const em_class_words *wanted,
                              em_word_fate *fates)
{
    size_t first = next_old(words, fates, 0);
    for (size_t i = 0; i < wanted->count && !fates[first].gone; i++) {
        size_t at = find(words, wanted->items[i].text);
        if (at != EM_NPOS && fates[at].old)
            return &fates[at].before;
    }
    return &fates[first].before;
}

/* New words take the place of old ones, and are in the order of `wanted` with those that stay, none
 * of which has to move for it. */
static void place_fresh(const em_class_words *words, const em_class_words *wanted,
                        em_class_change *change)
{
    size_t placed = 0;
    em_range *place = place_before(words, wanted, change->fates);
    for (size_t i = 0; i < wanted->count && placed < change->fresh.count; i++) {
        em_slice text = wanted->items[i].text;
        size_t at = find(words, text);
        if (em_slice_eq(change->fresh.items[placed].text, text)) {
            place->start = place->end > 0 ? place->start : placed;
            place->end = ++placed;
        } else if (find(wanted, text) == i && change->fates[at].old) {
            place = place_behind(words, change->fates, at);
        }
    }
}

/* ---- Putting the value together -------------------------------------------------------------- */

typedef struct em_joiner {
    em_strbuf text;
    em_slice lead; /* blanks before the first word of the old value */
    size_t words;
} em_joiner;

static void em_joiner_drop(em_joiner *joiner)
{
    em_strbuf_drop(&joiner->text);
}

static void join(em_joiner *joiner, em_slice blanks, em_slice word)
{
    em_strbuf_add(&joiner->text, joiner->words++ == 0 ? joiner->lead : blanks);
    em_strbuf_add(&joiner->text, word);
}

/* A value without quotes that gets them: those that stand in it are written as entities, and its
 * other bytes stay as they are. */
static em_status write_for_quotes(em_edit_plan *plan, em_slice raw, em_slice *out)
{
    EM_AUTO(em_strbuf) text = {0};
    *out = raw;
    if (!em_slice_has_byte(raw, '"'))
        return EM_OK;
    for (size_t i = 0; i < raw.len; i++)
        em_strbuf_add(&text, raw.ptr[i] == '"' ? EM_LIT("&quot;") : em_slice_sub(raw, i, i + 1));
    return em_strbuf_keep(&text, plan->scratch, out);
}

/* New words, the first behind `blanks`; written for between `quote`s, or as they are (0). */
static em_status join_fresh(em_edit_plan *plan, em_joiner *joiner, const em_class_words *fresh,
                            em_range which, em_slice blanks, char quote)
{
    for (size_t i = which.start; i < which.end; i++) {
        em_slice word = fresh->items[i].text;
        if (quote)
            EM_TRY(em_html_escape_value(word, quote, plan->scratch, &word));
        join(joiner, i == which.start ? blanks : EM_LIT(" "), word);
    }
    return EM_OK;
}

static em_status make_value(em_edit_plan *plan, const em_class_words *words,
                            const em_class_change *change, char quote, em_slice *value)
{
    EM_AUTO(em_joiner) joiner = {0};
    const em_class_words *fresh = &change->fresh;
    joiner.lead = words->count > 0 ? words->items[0].blanks : words->tail;
    for (size_t i = 0; i < words->count; i++) {
        const em_word *word = &words->items[i];
        const em_word_fate *fate = &change->fates[i];
        EM_TRY(join_fresh(plan, &joiner, fresh, fate->before, word->blanks, quote));
        if (!fate->gone)
            join(&joiner, fate->before.end > 0 ? EM_LIT(" ") : word->blanks, word->text);
        EM_TRY(join_fresh(plan, &joiner, fresh, fate->behind, EM_LIT(" "), quote));
    }
    if (change->appends)
        EM_TRY(join_fresh(plan, &joiner, fresh, (em_range){0, fresh->count},
                          words->tail.len > 0 ? words->tail : EM_LIT(" "), quote));
    else if (joiner.words > 0)
        em_strbuf_add(&joiner.text, words->tail);
    return em_strbuf_keep(&joiner.text, plan->scratch, value);
}

/* ---- The actions ----------------------------------------------------------------------------- */

/* All words, as the value has them. */
static em_slice words_as_text(const em_class_words *words)
{
    if (words->count == 0)
        return EM_LIT("");
    const em_word *last = &words->items[words->count - 1];
    const char *start = words->items[0].text.ptr;
    return em_slice_make(start, (size_t)(last->text.ptr + last->text.len - start));
}

/* What is quoted in a reason. */
#define SHOWN(slice) (int)em_utf8_floor((slice), 200), (slice).ptr

/* Is one of them in the word by itself, where code decides whether it is there:
 * {% else %}a{% endif %}? */
static bool decides_on(const em_class_words *words, const em_word *word, const em_class_words *old)
{
    const em_value_code *code = &words->code;
    em_range range = word_range(words, word);
    bool parted = false;
    for (size_t i = word->pieces.start; i < word->pieces.end; i++) {
        em_slice before = em_slice_sub(words->value, range.start, code->pieces[i].start);
        if ((parted || code->parting[i]) && find(old, before) != EM_NPOS)
            return true;
        parted = code->parting[i];
        range.start = code->pieces[i].end;
    }
    return parted && find(old, em_slice_sub(words->value, range.start, range.end)) != EM_NPOS;
}

/* Do all that are to go stand among the words, and, to be replaced, whatever code decides? */
static bool is_known(const em_class_words *words, const em_class_words *old,
                     const em_word_fate *fates, bool swaps)
{
    if (find_lacking(words, old) != EM_NPOS)
        return false;
    for (size_t i = 0; i < words->count; i++)
        if (decides_on(words, &words->items[i], old))
            return false;
    for (size_t i = 0; swaps && i < words->count; i++)
        if (fates[i].old && words->items[i].chosen)
            return false;
    return true;
}

/* The first code in the word that belongs to some outside of it. */
static em_status find_torn(em_edit_plan *plan, const em_class_words *words, const em_word *word,
                           em_range *torn)
{
    const em_value_code *code = &words->code;
    em_control_page value = {.bytes = words->value, .arena = plan->scratch};
    em_range range = word_range(words, word);
    em_slice none = {0};
    em_directed directed;
    *torn = (em_range){0};
    if (!is_coded(word))
        return EM_OK;
    EM_TRY(em_control_torn(&value, range, none, plan->scratch, torn));
    if (torn->end > 0)
        return EM_OK;
    EM_TRY(em_directed_read(words->value, code->pieces, code->count, plan->scratch, &directed));
    *torn = em_directed_torn(&directed, range, none);
    return EM_OK;
}

/* Words are added one by one, and only those that are not there: code that begins in one of them
 * and ends in another would not stand around what it is meant for. */
static em_status check_wanted(em_edit_plan *plan, const em_class_words *wanted)
{
    em_range torn = {0};
    for (size_t i = 0; i < wanted->count && torn.end == 0; i++)
        EM_TRY(find_torn(plan, wanted, &wanted->items[i], &torn));
    if (torn.end == 0)
        return EM_OK;
    em_slice code = em_slice_sub(wanted->value, torn.start, torn.end);
    return em_refuse(plan, EM_DOM_E_TEMPLATE,
                     "\"%.*s\" begins or ends something, and what belongs to it is not in the same "
                     "class; leave out the blanks between them, or set the attribute as a whole",
                     SHOWN(code));
}

static em_status refuse_unknown(em_edit_plan *plan)
{
    const em_dom_op *op = plan->op;
    bool swaps = op->action == EM_DOM_REPLACE_CLASS;
    return em_refuse(plan, EM_DOM_E_TEMPLATE,
                     "template code decides whether the class \"%.*s\" is there; edit the value as "
                     "text, or set the attribute as a whole",
                     SHOWN(swaps ? op->old_class : op->value));
}

/* Code that is named as it stands can go, but not a part of what belongs together. */
static em_status check_gone(em_edit_plan *plan, const em_class_words *words,
                            const em_class_change *change)
{
    em_range torn = {0};
    for (size_t i = 0; i < words->count && torn.end == 0; i++)
        if (change->fates[i].gone)
            EM_TRY(find_torn(plan, words, &words->items[i], &torn));
    return torn.end > 0 ? refuse_unknown(plan) : EM_OK;
}

static bool any_gone(const em_class_words *words, const em_class_change *change)
{
    for (size_t i = 0; i < words->count; i++)
        if (change->fates[i].gone)
            return true;
    return false;
}

static em_status refuse_lacking(em_edit_plan *plan, const em_class_words *words, em_slice lacking)
{
    em_slice own = words_as_text(words);
    return em_refuse(plan, EM_DOM_E_NO_CLASS,
                     own.len > 0 ? "the element has no class \"%.*s\", but \"%.*s\""
                                 : "the element has no class \"%.*s\", and no other",
                     SHOWN(lacking), SHOWN(own));
}

/* Old words for `wanted`. Where one of them is not there, the element has to be as it would be
 * afterwards. */
static em_status decide_swap(em_edit_plan *plan, const em_class_words *words,
                             const em_class_words *old, const em_class_words *wanted,
                             em_class_change *change)
{
    size_t lacking = find_lacking(words, old);
    keep_wanted(words, wanted, change->fates);
    if (lacking == EM_NPOS) {
        EM_TRY(find_fresh(plan, wanted, words, change->fates, &change->fresh));
        place_fresh(words, wanted, change);
    } else if (any_gone(words, change) || find_lacking(words, wanted) != EM_NPOS) {
        return refuse_lacking(plan, words, old->items[lacking].text);
    }
    return EM_OK;
}

static em_status decide(em_edit_plan *plan, em_class_words *words, em_class_change *change)
{
    const em_dom_op *op = plan->op;
    em_class_words old = {0}, wanted = {0};
    bool adds = op->action == EM_DOM_ADD_CLASS, swaps = op->action == EM_DOM_REPLACE_CLASS;
    em_slice added = swaps ? op->new_class : adds ? op->value : (em_slice){0};
    EM_TRY(split(swaps ? op->old_class : adds ? (em_slice){0} : op->value, plan->scratch, &old));
    EM_TRY(split(added, plan->scratch, &wanted));
    EM_TRY(check_wanted(plan, &wanted));
    EM_TRY(sort(&old, words->count, plan->scratch));
    EM_TRY(sort(&wanted, words->count + wanted.count, plan->scratch));
    EM_TRY(sort(words, old.count + wanted.count, plan->scratch));
    change->fates = em_alloc_array(plan->scratch, words->count, sizeof *change->fates);
    if (!change->fates)
        return EM_E_NOMEM;
    mark_old(words, &old, change->fates);
    if (words->code.count > 0 && !is_known(words, &old, change->fates, swaps))
        return refuse_unknown(plan);
    if (swaps)
        EM_TRY(decide_swap(plan, words, &old, &wanted, change));
    else
        EM_TRY(find_fresh(plan, &wanted, words, change->fates, &change->fresh));
    EM_TRY(check_gone(plan, words, change));
    change->appends = adds && change->fresh.count > 0;
    change->changes = change->fresh.count > 0 || any_gone(words, change);
    return EM_OK;
}

static em_status refuse_code(em_edit_plan *plan, const em_node *node)
{
    return em_refuse(plan, EM_DOM_E_TEMPLATE,
                     "template code stands among the classes of <%.*s>, so they are not known; "
                     "edit the value as text, or set the attribute as a whole",
                     EM_NAMED(node));
}

/* The attribute in which a tag of JSX has its classes; NULL. */
static const em_attr *class_name_of(const em_page *page, const em_node *node)
{
    const em_attr *attr = em_node_attr_any_case(node, CLASS_NAME);
    bool is_it =
        attr && em_slice_eq(em_slice_sub(page->bytes, attr->raw_name.start, attr->raw_name.end),
                            CLASS_NAME);
    return is_it ? attr : NULL;
}

/* Have tags of the page className, as those of JSX, and none a class? */
static bool is_jsx(em_edit_plan *plan)
{
    const em_page *page = plan->page;
    em_slice bytes = page->bytes;
    if (plan->jsx_known)
        return plan->jsx;
    plan->jsx_known = true;
    if (bytes.len == 0 || !memmem(bytes.ptr, bytes.len, CLASS_NAME.ptr, CLASS_NAME.len))
        return false;
    for (size_t i = 0; i < page->count; i++) {
        if (em_node_attr(page->nodes[i], EM_LIT("class")))
            return plan->jsx = false;
        plan->jsx |= class_name_of(page, page->nodes[i]) != NULL;
    }
    return plan->jsx;
}

/* The classes of JSX are in className. */
static em_status check_jsx(em_edit_plan *plan, const em_node *node)
{
    const em_attr *attr = class_name_of(plan->page, node);
    if (attr) {
        em_slice classes = attr->value.len > 0 ? attr->value : EM_LIT("");
        return em_refuse(
            plan, EM_DOM_E_TEMPLATE,
            "this <%.*s> has its classes in className=\"%.*s\", as JSX does; set that, with "
            "all its classes, by setAttribute with \"attr\": \"className\"",
            EM_NAMED(node), SHOWN(classes));
    }
    if (plan->op->action != EM_DOM_ADD_CLASS || !is_jsx(plan))
        return EM_OK;
    return em_refuse(plan, EM_DOM_E_TEMPLATE,
                     "tags of this page have their classes in className, as JSX does, and none in "
                     "class; give this <%.*s> some by setAttribute with \"attr\": \"className\"",
                     EM_NAMED(node));
}

/* Code that goes on behind the value leaves nothing of it known. */
static em_status check_value(em_edit_plan *plan, const em_node *node, const em_attr *attr)
{
    em_range torn = {0};
    EM_TRY(em_edit_check_attrs(plan, node));
    EM_TRY(check_jsx(plan, node));
    if (!attr)
        return EM_OK;
    em_slice bytes = plan->page->bytes,
             raw = em_slice_sub(bytes, attr->raw_value.start, attr->raw_value.end);
    if (em_code_doubted(raw))
        return refuse_code(plan, node);
    if (em_code_within(raw))
        EM_TRY(
            em_control_torn(&plan->control, attr->raw_value, (em_slice){0}, plan->scratch, &torn));
    return torn.end > 0 ? refuse_code(plan, node) : EM_OK;
}

/* Braces that are not closed among the classes must not be by a new one: they would be code with
 * all that is between. */
static em_status check_made(em_edit_plan *plan, const em_node *node, em_slice value,
                            const em_class_words *words, const em_class_change *change)
{
    em_class_words made;
    size_t meant = change->fresh.count;
    for (size_t i = 0; i < words->count; i++)
        meant += !change->fates[i].gone;
    EM_TRY(split(value, plan->scratch, &made));
    return made.count == meant ? EM_OK : refuse_code(plan, node);
}

em_status em_edit_classes(em_edit_plan *plan, em_node *node, em_edit *edit)
{
    const em_attr *attr = em_node_attr(node, EM_LIT("class"));
    em_slice raw = {0}, decoded = {0}, raw_value = {0}, value = {0};
    char quote = attr && attr->quote ? attr->quote : '"';
    em_class_words words = {0}, raw_words = {0};
    em_class_change change = {0};
    if (attr) {
        decoded = attr->value;
        raw = em_slice_sub(plan->page->bytes, attr->raw_value.start, attr->raw_value.end);
        if (!attr->quote)
            EM_TRY(write_for_quotes(plan, raw, &raw));
    }
    EM_TRY(check_value(plan, node, attr));
    EM_TRY(split(decoded, plan->scratch, &words));
    EM_TRY(split(raw, plan->scratch, &raw_words));
    EM_TRY(decide(plan, &words, &change));
    if (!change.changes)
        return EM_OK;
    if (words.count != raw_words.count)
        return em_refuse(plan, EM_DOM_E_GUARD,
                         "the class value of <%.*s> writes blanks as entities; set the attribute "
                         "as a whole",
                         EM_NAMED(node));
    EM_TRY(make_value(plan, &words, &change, 0, &value));
    EM_TRY(check_made(plan, node, value, &words, &change));
    if (attr)
        EM_TRY(make_value(plan, &raw_words, &change, quote, &raw_value));
    EM_TRY(em_edit_write_attr(plan, node, EM_LIT("class"), value, raw_value, edit));
    EM_TRY(em_arena_keep(plan->arena, &edit->value));
    return em_arena_keep(plan->arena, &edit->splice.insert);
}
