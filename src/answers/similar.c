/* similar.c: the text of the file that is like a search text, and in words what differs. */
#include "answers/similar.h"

#include "answers/places_told.h"
#include "base/ascii.h"
#include "base/utf8.h"

/* How much is shown of each place. All of it together is bounded by EM_SHOWN_LIMIT. */
enum {
    FIRST_LINES = 40, /* of the most similar place */
    FIRST_BYTES = 3000,
    NEXT_LINES = 10, /* of each other place */
    NEXT_BYTES = 800,
    MOST_SENTENCES = 4,  /* about one place */
    EXCERPT_POINTS = 40, /* of a piece that differs, in a sentence */
    CONTEXT_POINTS = 20, /* of what stands before or behind it */
};

const char em_visible_legend[] = "\xE2\x86\x92 is a tab, \xC2\xB7 a blank";

/* ---- The diagnosis ------------------------------------------------------------------------- */

em_likeness em_similar_likeness(const em_near *near)
{
    return near->is_within ? (em_likeness){near->piece, near->piece_similarity}
                           : (em_likeness){near->content, near->similarity};
}

/* Behind those that are as similar, but not before the first `kept`. */
static void list_insert(em_similar_list *list, const em_near *near, size_t kept)
{
    size_t at = list->count++;
    double similarity = em_similar_likeness(near).similarity;
    while (at > kept && em_similar_likeness(list->items[at - 1]).similarity < similarity) {
        list->items[at] = list->items[at - 1];
        at--;
    }
    list->items[at] = near;
}

em_similar_list em_similar_places(const em_reply *reply)
{
    em_similar_list list = {.count = 0};
    const em_diagnosis *diagnosis = em_reply_diagnosis(reply);
    for (size_t i = 0; diagnosis && i < diagnosis->near_count; i++) {
        const em_near *near = &diagnosis->near[i];
        bool leads = reply->correction || diagnosis->near[0].is_located;
        bool is_meant = (i == 0 && reply->correction) || near->is_trace || near->is_located;
        if (is_meant || em_similar_likeness(near).similarity >= EM_LEAST_SIMILARITY)
            list_insert(&list, near, leads);
    }
    return list;
}

static bool is_outstanding(const em_similar_list *list)
{
    static const double CLEAR = 0.85, LEAD = 0.05; /* as the fuzzy tier wants them */
    double first = em_similar_likeness(list->items[0]).similarity;
    return first >= CLEAR && first - em_similar_likeness(list->items[1]).similarity >= LEAD;
}

/* Those that a text shows: the first alone, where that is most likely meant, since the others would
 * only lead astray. */
static em_similar_list shown_places(const em_reply *reply)
{
    em_similar_list list = em_similar_places(reply);
    if (list.count > 1 && (reply->correction || is_outstanding(&list)))
        list.count = 1;
    return list;
}

const em_near *em_similar_best(const em_reply *reply)
{
    em_similar_list list = em_similar_places(reply);
    return list.count > 0 ? list.items[0] : NULL;
}

/* What a search text got wrong; %s is what its tool calls it. */
static const char *const miss_sentences[] = {
    [EM_MISS_UNKNOWN] = "nothing in the file is like %s",
    [EM_MISS_TABS] = "%s is indented with tabs where the file has spaces, or the other way round",
    [EM_MISS_INDENTATION] = "%s is indented otherwise than the file",
    [EM_MISS_BLANKS] = "%s has other blanks within or behind its lines",
    [EM_MISS_BLANK_LINES] = "%s has more or fewer empty lines than the file",
    [EM_MISS_LINE_ENDINGS] = "%s has other line endings than the file",
    [EM_MISS_LAST_BREAK] = "%s ends with a line break, and the file's last line has none",
    [EM_MISS_LINE_BREAKS] = "%s breaks its lines elsewhere than the file",
    [EM_MISS_QUOTES] = "%s has other quotes than the file",
    [EM_MISS_CHARACTERS] = "%s has dashes, spaces or letters that look the same "
                           "but are other characters than in the file",
    [EM_MISS_ENTITIES] = "%s has HTML entities where the file has the characters, or the other way "
                         "round",
    [EM_MISS_ESCAPES] = "%s has backslash escapes where the file has the characters",
    [EM_MISS_UNESCAPED] = "%s has line breaks or tabs where the file has their escapes, \\n or \\t",
    [EM_MISS_LINE_NUMBERS] = "%s has line numbers that are not in the file",
    [EM_MISS_FENCE] = "%s is wrapped in a code fence that is not in the file",
    [EM_MISS_MARKERS] = "%s has the >>> and <<< between which answers show a text, and the file "
                        "has not",
    [EM_MISS_PATCH] = "%s has the signs of a patch before its lines, which are not in the file",
    [EM_MISS_CHANGE] = "%s is all of a patch or of a SEARCH/REPLACE block, and not its one side, "
                       "which the file has",
    [EM_MISS_CHANGES] = "%s is all of a patch, or of SEARCH/REPLACE blocks, for several places: "
                        "send an edit for each, with the lines that go as they stand in the file",
    [EM_MISS_CASE] = "%s has letters of another case than the file",
    [EM_MISS_TYPO] = "%s has a word or sign that the file has otherwise",
    [EM_MISS_CUT] = "the first or last line of %s is not whole",
    [EM_MISS_COMMENT] = "%s leaves out a comment that the file has there",
    [EM_MISS_ELIDED] = "%s leaves out lines that the file has there",
    [EM_MISS_STALE] = "%s has lines that are not, or no longer, like that in the file",
    [EM_MISS_SEVERAL_PLACES] = "%s could be meant at more than one place",
    [EM_MISS_ARTIFACT] = "%s is written otherwise than in the file, and the replacement has line "
                         "numbers, a code fence, markers of a patch or of an answer, or escaped "
                         "line breaks that the file has not",
    [EM_MISS_NUL] = "%s has a NUL character, which matches nothing: leave it out",
};

const char *em_miss_sentence(em_miss miss, const char *find, em_arena *arena)
{
    em_slice sentence = em_slice_of(miss_sentences[miss]);
    const char *name = strstr(sentence.ptr, "%s");
    size_t before = (size_t)(name - sentence.ptr);
    return em_arena_format(arena, "%.*s%s%s", (int)before, sentence.ptr, find, name + 2);
}

/* What to do about lines of which nobody knows what is to become of them. */
static const char *elided_sentence(const em_reply *reply)
{
    const em_words *words = reply->words;
    return em_arena_format(reply->arena,
                           "a line of %s stands for lines that the file has there, and %s does not "
                           "leave out the same: to keep them, have that line in it, too; to change "
                           "or remove them, send them all in %s",
                           words->find, words->insert, words->find);
}

/* What to do where the lines that change may not be those which are meant. */
static const char *blocks_sentence(const em_reply *reply)
{
    const em_words *words = reply->words;
    return em_arena_format(reply->arena,
                           "a line of %s stands for lines of more than one block, so that what "
                           "changes may be meant in another: send only the lines that change, with "
                           "those around them as they stand in the file, and without that line",
                           words->find);
}

/* What to do about escapes of which nobody knows whether they are to come as such. */
static const char *escapes_sentence(const em_reply *reply)
{
    const em_words *words = reply->words;
    return em_arena_format(
        reply->arena,
        "%s has its line breaks as backslash escapes, and some escapes of %s may "
        "be the file's to be: send line breaks, tabs and quotes of both "
        "themselves, and as escapes only what is to stand in the file as such",
        words->find, words->insert);
}

/* What to do about numbers of which nobody knows whether all are to go. */
static const char *numbers_sentence(const em_reply *reply)
{
    const em_words *words = reply->words;
    return em_arena_format(reply->arena,
                           "%s has line numbers that are not in the file, and %s may have some: "
                           "send both without them, each line indented as in the file",
                           words->find, words->insert);
}

/* Why nothing is to be sent for a change that may have been cut, and what to do. */
static const char *cut_change_sentence(const em_reply *reply)
{
    const em_words *words = reply->words;
    return em_arena_format(reply->arena,
                           "%s is a patch or a SEARCH/REPLACE block, and the marker at its end is "
                           "missing, so that not all of it may have come: send the lines that go "
                           "in %s, as they stand in the file, and all that come in %s",
                           words->find, words->find, words->insert);
}

static const char *sentence_of(const em_reply *reply, const em_diagnosis *diagnosis)
{
    if (diagnosis->drops_elided)
        return elided_sentence(reply);
    if (diagnosis->doubts_elided)
        return blocks_sentence(reply);
    if (diagnosis->misses_end)
        return cut_change_sentence(reply);
    if (diagnosis->doubts_escapes)
        return escapes_sentence(reply);
    if (diagnosis->doubts_numbers)
        return numbers_sentence(reply);
    return em_miss_sentence(diagnosis->miss, reply->words->find, reply->arena);
}

const char *em_similar_reason(em_reply *reply)
{
    const em_diagnosis *diagnosis = em_reply_diagnosis(reply);
    if (!diagnosis || diagnosis->miss == EM_MISS_UNKNOWN)
        return NULL;
    const char *sentence = sentence_of(reply, diagnosis);
    if (!sentence)
        reply->json.failed = true;
    return sentence;
}

bool em_similar_is_cut_off(const em_reply *reply)
{
    const em_diagnosis *diagnosis = em_reply_diagnosis(reply);
    return diagnosis && diagnosis->timed_out;
}

bool em_similar_is_stale(const em_reply *reply)
{
    const em_diagnosis *diagnosis = em_reply_diagnosis(reply);
    return diagnosis && diagnosis->miss == EM_MISS_STALE;
}

bool em_similar_is_ambiguous(const em_reply *reply)
{
    const em_diagnosis *diagnosis = em_reply_diagnosis(reply);
    return diagnosis && diagnosis->miss == EM_MISS_SEVERAL_PLACES;
}

bool em_miss_is_of_white_space(em_miss miss)
{
    return miss == EM_MISS_TABS || miss == EM_MISS_INDENTATION || miss == EM_MISS_BLANKS ||
           miss == EM_MISS_BLANK_LINES;
}

bool em_similar_by_white_space(const em_reply *reply, const em_near *near)
{
    const em_diagnosis *diagnosis = em_reply_diagnosis(reply);
    for (size_t i = 0; i < near->differences.count; i++)
        if (near->differences.items[i].kind == EM_DIFFERS_WHITESPACE)
            return true;
    return near == &diagnosis->near[0] && em_miss_is_of_white_space(diagnosis->miss);
}

/* ---- White space that can be seen ---------------------------------------------------------- */

/* Is the blank at `at` one that is easily overlooked? One between two words is not. */
static bool is_hidden(em_slice text, size_t at)
{
    return at == 0 || at + 1 == text.len || em_is_white_space(text.ptr[at - 1]) ||
           em_is_white_space(text.ptr[at + 1]);
}

static bool is_odd_space(uint32_t code)
{
    return code == 0xA0 || (code >= 0x2000 && code <= 0x200A) || code == 0x202F || code == 0x205F ||
           code == 0x3000;
}

/* A character; what has no width, as \uFEFF. */
static void add_seen(em_strbuf *out, em_slice character)
{
    if (character.len > 1)
        em_add_harmless(out, character, "");
    else
        em_strbuf_add(out, character);
}

void em_add_visible(em_strbuf *out, em_slice text)
{
    for (size_t at = 0; at < text.len;) {
        size_t next = at;
        uint32_t code = em_utf8_next(text, &next);
        if (code == '\t')
            em_strbuf_puts(out, "\xE2\x86\x92"); /* U+2192 RIGHTWARDS ARROW */
        else if (code == ' ' && is_hidden(text, at))
            em_strbuf_puts(out, "\xC2\xB7"); /* U+00B7 MIDDLE DOT */
        else if (is_odd_space(code))
            em_strbuf_puts(out, "\xE2\x8D\xBD"); /* U+237D SHOULDERED OPEN BOX */
        else
            add_seen(out, em_slice_sub(text, at, next));
        at = next;
    }
}

/* ---- What differs -------------------------------------------------------------------------- */

/* What is the same at both ends of the two texts of a difference, and what is left of them. */
typedef struct contrast {
    em_slice before, behind;
    em_slice expected, found;
} contrast;

/* May `text` be cut at `at`? Never in a character, and in a word only where it is white space that
 * differs. */
static bool is_border(em_slice text, size_t at, bool in_words)
{
    if (em_utf8_continues(text, at))
        return false;
    return in_words || at == 0 || at == text.len || !em_is_word_byte(text.ptr[at - 1]) ||
           !em_is_word_byte(text.ptr[at]);
}

static contrast contrast_of(const em_difference *difference)
{
    em_slice a = difference->expected, b = difference->found;
    size_t shorter = a.len < b.len ? a.len : b.len, start = 0, end = 0;
    bool in_words = difference->kind == EM_DIFFERS_WHITESPACE;
    while (start < shorter && a.ptr[start] == b.ptr[start])
        start++;
    while (!is_border(a, start, in_words) || !is_border(b, start, in_words))
        start--;
    while (end < shorter - start && a.ptr[a.len - 1 - end] == b.ptr[b.len - 1 - end])
        end++;
    while (!is_border(a, a.len - end, in_words) || !is_border(b, b.len - end, in_words))
        end--;
    return (contrast){.before = em_slice_sub(a, 0, start),
                      .behind = em_slice_from(a, a.len - end),
                      .expected = em_slice_sub(a, start, a.len - end),
                      .found = em_slice_sub(b, start, b.len - end)};
}

/* Does `text` consist of the characters in `set` (ASCII) alone? */
static bool consists_of(em_slice text, const char *set)
{
    for (size_t i = 0; i < text.len; i++)
        if (!strchr(set, text.ptr[i]) || text.ptr[i] == '\0')
            return false;
    return text.len > 0;
}

/* One of it in a word; NULL where it is not so many times the same. */
static const char *blank_word(em_slice text)
{
    if (consists_of(text, " "))
        return "space";
    if (consists_of(text, "\t"))
        return "tab";
    if (consists_of(text, "\n"))
        return "line break";
    return NULL;
}

/* The byte at `at` as it is shown in a sentence; NULL where that is itself. */
static const char *symbol_at(em_slice text, size_t at)
{
    if (text.ptr[at] == '\n')
        return "\xE2\x8F\x8E"; /* U+23CE RETURN SYMBOL */
    if (text.ptr[at] == '\t')
        return "\xE2\x86\x92";
    if (text.ptr[at] == '\r')
        return "\xE2\x90\x8D"; /* U+240D SYMBOL FOR CARRIAGE RETURN */
    if (text.ptr[at] == '\0')
        return "\xE2\x90\x80"; /* U+2400 SYMBOL FOR NULL */
    return text.ptr[at] == ' ' && is_hidden(text, at) ? "\xC2\xB7" : NULL;
}

/* The first `most` code points, or the last, in quotes, with white space that can be seen. */
static const char *quoted(em_reply *reply, em_slice text, size_t most, bool from_end)
{
    EM_AUTO(em_strbuf) out = {0};
    size_t count = em_utf8_count(text), from = from_end && count > most ? count - most : 0, at = 0;
    em_strbuf_puts(&out, from > 0 ? "'\xE2\x80\xA6" : "'"); /* U+2026 HORIZONTAL ELLIPSIS */
    for (size_t i = 0; at < text.len && i < from + most; i++) {
        size_t next = at;
        em_utf8_next(text, &next);
        const char *symbol = symbol_at(text, at);
        if (i >= from && symbol)
            em_strbuf_puts(&out, symbol);
        else if (i >= from)
            add_seen(&out, em_slice_sub(text, at, next));
        at = next;
    }
    em_strbuf_puts(&out, at < text.len ? "\xE2\x80\xA6'" : "'");
    const char *string = em_strbuf_finish(&out, reply->arena);
    if (!string)
        reply->json.failed = true;
    return string ? string : "";
}

/* " after 'const'", or what else is known of where it is; "". */
static const char *place_of(em_reply *reply, const contrast *c)
{
    em_slice before = em_slice_trim(c->before, em_is_white_space),
             behind = em_slice_trim(c->behind, em_is_white_space);
    if (before.len > 0)
        return em_reply_format(reply, " after %s", quoted(reply, before, CONTEXT_POINTS, true));
    if (behind.len > 0)
        return em_reply_format(reply, " before %s", quoted(reply, behind, CONTEXT_POINTS, false));
    return "";
}

/* "a tab", "4 spaces", "'x'" */
static const char *named(em_reply *reply, em_slice text)
{
    const char *word = blank_word(text);
    if (word && text.len == 1)
        return em_reply_format(reply, "a %s", word);
    if (word)
        return em_reply_format(reply, "%zu %ss", text.len, word);
    if (em_slice_is(text, "\xC2\xA0"))
        return "a no-break space";
    return quoted(reply, text, EXCERPT_POINTS, false);
}

static const char *only_one_has(em_reply *reply, const contrast *c)
{
    bool extra = c->expected.len == 0;
    em_slice text = extra ? c->found : c->expected;
    const char *word = blank_word(text), *place = place_of(reply, c);
    if (word && text.len == 1)
        return em_reply_format(reply, "%s %s%s", extra ? "Extra" : "Missing", word, place);
    if (word)
        return em_reply_format(reply, "%zu %s %ss%s", text.len, extra ? "extra" : "missing", word,
                               place);
    return em_reply_format(reply, "%s %s%s", extra ? "Extra" : "Missing",
                           quoted(reply, text, EXCERPT_POINTS, false), place);
}

static const char *quotes_word(em_slice text)
{
    static const struct {
        const char *mark, *word;
    } marks[] = {
        {"\"", "double quotes"},
        {"'", "single quotes"},
        {"`", "backquotes"},
        {"\xE2\x80\x9C", "curly quotes"},
        {"\xE2\x80\x9D", "curly quotes"},
        {"\xE2\x80\x98", "curly single quotes"},
        {"\xE2\x80\x99", "curly single quotes"},
    };
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (em_slice_is(text, marks[i].mark))
            return marks[i].word;
    return NULL;
}

/* Are they the same text in other quotes? */
static bool differ_in_quotes(const em_difference *difference, const char **expected,
                             const char **found)
{
    em_slice a = difference->expected, b = difference->found;
    size_t at_a = 0, at_b = 0;
    *expected = *found = NULL;
    while (at_a < a.len && at_b < b.len) {
        size_t next_a = at_a, next_b = at_b;
        if (em_utf8_next(a, &next_a) != em_utf8_next(b, &next_b)) {
            *expected = quotes_word(em_slice_sub(a, at_a, next_a));
            *found = quotes_word(em_slice_sub(b, at_b, next_b));
            if (!*expected || !*found)
                return false;
        }
        at_a = next_a;
        at_b = next_b;
    }
    return at_a == a.len && at_b == b.len && *expected;
}

/* The whole words around a difference of case say more than its letters. */
static const char *in_other_case(em_reply *reply, const em_difference *difference)
{
    return em_reply_format(reply, "Is written %s, not %s",
                           quoted(reply, difference->found, EXCERPT_POINTS, false),
                           quoted(reply, difference->expected, EXCERPT_POINTS, false));
}

const char *em_difference_word(em_difference_kind kind)
{
    static const char *const words[] = {"whitespace", "case", "punctuation", "content"};
    return words[kind];
}

const char *em_difference_sentence(em_reply *reply, const em_difference *difference)
{
    contrast c = contrast_of(difference);
    const char *quotes, *other_quotes;
    if (difference->kind == EM_DIFFERS_CASE)
        return in_other_case(reply, difference);
    if (differ_in_quotes(difference, &quotes, &other_quotes))
        return em_reply_format(reply, "Uses %s instead of %s", other_quotes, quotes);
    if (c.expected.len == 0 || c.found.len == 0)
        return only_one_has(reply, &c);
    return em_reply_format(reply, "Has %s instead of %s%s", named(reply, c.found),
                           named(reply, c.expected), place_of(reply, &c));
}

/* The sentences about a place, each once. */
void em_similar_add_differences(em_reply *reply, const em_near *near, const char *lead)
{
    const char *told[MOST_SENTENCES];
    size_t count = 0, left = 0;
    for (size_t i = 0; i < near->differences.count; i++) {
        const char *sentence = em_difference_sentence(reply, &near->differences.items[i]);
        size_t same = 0;
        while (same < count && strcmp(told[same], sentence) != 0)
            same++;
        if (same < count)
            continue;
        if (count == MOST_SENTENCES) {
            left++;
            continue;
        }
        told[count++] = sentence;
        em_strbuf_printf(&reply->text, "\n%sDifference: %s", lead, sentence);
    }
    if (left > 0)
        em_strbuf_printf(&reply->text, "\n%s... and %zu more", lead, left);
}

/* ---- Places -------------------------------------------------------------------------------- */

/* *goes_on: the line has an ending, behind which there is another one. */
static em_slice next_line(em_slice *rest, bool *goes_on)
{
    size_t length = 0;
    while (length < rest->len && em_eol_at(*rest, length) == EM_EOL_NONE)
        length++;
    em_slice line = em_slice_sub(*rest, 0, length);
    size_t ending = length < rest->len ? em_eol_length_at(*rest, length) : 0;
    *goes_on = ending > 0;
    *rest = em_slice_from(*rest, length + ending);
    return line;
}

/* Where in the first line of the place its piece begins, bytes. */
static size_t piece_offset(const em_near *near)
{
    size_t at = 0;
    for (size_t column = 1; column < near->piece_column && at < near->content.len; column++)
        em_utf8_next(near->content, &at);
    return at;
}

em_slice em_similar_take(em_reply *reply, const em_near *near, size_t most)
{
    return em_reply_window(reply, near->content, piece_offset(near), most);
}

em_slice em_similar_take_whole(em_reply *reply)
{
    const em_near *best = em_similar_best(reply);
    bool is_known = best && !best->is_trace && !reply->correction;
    em_slice text = is_known ? best->to_copy : (em_slice){0};
    bool fits = text.len <= reply->shown_left && em_text_can_be_sent(text);
    return fits ? em_reply_take(reply, text, text.len) : (em_slice){0};
}

void em_similar_add_whole(em_reply *reply, em_slice text)
{
    const em_near *best = em_similar_best(reply);
    em_strbuf_printf(&reply->text, "\n\nThe exact text at line %zu", best->line);
    em_similar_add_origin(reply, best);
    em_strbuf_puts(&reply->text, " (between >>> and <<<):\n>>>");
    em_strbuf_add(&reply->text, text);
    em_strbuf_puts(&reply->text, "<<<");
}

static void add_number(em_reply *reply, const em_near *near, size_t index)
{
    em_strbuf *text = &reply->text;
    size_t number = near->numbers ? near->numbers[index] : near->inserted ? 0 : near->line + index;
    if (number > 0)
        em_strbuf_printf(text, "\n%4zu | ", em_reply_line_now(reply, number));
    else
        em_strbuf_puts(text, "\n     | ");
}

void em_similar_add_lines(em_reply *reply, const em_near *near, bool visible, size_t lines,
                          size_t most)
{
    em_strbuf *text = &reply->text;
    em_slice rest = near->content;
    size_t at = piece_offset(near);
    bool goes_on = true;
    for (size_t i = 0; i < lines && goes_on; i++) {
        em_slice whole = next_line(&rest, &goes_on);
        em_slice shown = em_reply_window(reply, whole, i == 0 ? at : 0, most);
        most -= shown.len;
        add_number(reply, near, i);
        if (visible)
            em_add_visible(text, shown);
        else
            em_strbuf_add(text, shown);
        if (shown.len < whole.len) {
            em_strbuf_puts(text, " (cut)");
            return;
        }
    }
    if (goes_on)
        em_strbuf_puts(text, "\n     ...");
}

void em_similar_add_origin(em_reply *reply, const em_near *near)
{
    if (near->inserted)
        em_strbuf_printf(&reply->text, ", in %s",
                         near->stands ? "a line that an edit before this one changes"
                                      : "text that an edit before this one inserts there");
    else if (near->is_changed)
        em_strbuf_puts(&reply->text, ", in text that an edit before this one changes");
}

static void add_place(em_reply *reply, const em_near *near)
{
    em_strbuf *text = &reply->text;
    bool visible = em_similar_by_white_space(reply, near);
    bool is_first = near == em_similar_best(reply);
    em_strbuf_printf(text, "\n%s (%u%% similar, line", is_first ? "Most similar text" : "Next",
                     em_percent(em_similar_likeness(near).similarity));
    if (near->end_line > near->line)
        em_strbuf_printf(text, "s %zu-%zu", em_reply_line_now(reply, near->line),
                         em_reply_line_now(reply, near->end_line));
    else
        em_strbuf_printf(text, " %zu", em_reply_line_now(reply, near->line));
    em_similar_add_origin(reply, near);
    em_strbuf_printf(text, "%s%s):", visible ? "; " : "", visible ? em_visible_legend : "");
    em_similar_add_lines(reply, near, visible, is_first ? FIRST_LINES : NEXT_LINES,
                         is_first ? FIRST_BYTES : NEXT_BYTES);
    em_similar_add_differences(reply, near, "  ");
}

void em_similar_add_meant(em_reply *reply)
{
    if (em_similar_is_ambiguous(reply) && reply->outcome->failed_op)
        em_add_places(reply, reply->outcome->failed_op->find);
}

bool em_similar_add_cut_off(em_reply *reply)
{
    bool is_told = reply->outcome->status == EM_E_TIMEOUT;
    if (!em_similar_is_cut_off(reply) || reply->correction || is_told)
        return false;
    em_strbuf_printf(&reply->text, "\nThe search for text like it took too long%s",
                     em_similar_best(reply) ? ", so there may be more than this" : "");
    return true;
}

void em_similar_add(em_reply *reply)
{
    em_similar_list list = shown_places(reply);
    const char *reason = em_similar_reason(reply);
    if (reason)
        em_strbuf_printf(&reply->text, "\n%s", reason);
    em_similar_add_meant(reply);
    for (size_t i = 0; i < list.count; i++)
        add_place(reply, list.items[i]);
    em_similar_add_cut_off(reply);
}

/* ---- What to send -------------------------------------------------------------------------- */

void em_add_to_send(em_reply *reply, const char *name, em_slice text)
{
    em_strbuf_printf(&reply->text, "\nSend as %s (between >>> and <<<):\n>>>", name);
    em_strbuf_add(&reply->text, text);
    em_strbuf_puts(&reply->text, "<<<");
}

const char *em_similar_too_long(em_reply *reply)
{
    const em_correction *correction = reply->correction;
    bool insert_is_long =
        correction->insert.len > reply->echo_limit && em_correction_changes_insert(reply);
    const char *what =
        insert_is_long && correction->find.len <= EM_SHOWN_LIMIT
            ? em_reply_format(reply, "%s as that place needs it", reply->words->insert)
            : "The exact text";
    return em_reply_format(
        reply, "%s is too long to be given here (lines %zu-%zu): edit it in smaller pieces", what,
        correction->line, correction->end_line);
}

void em_similar_add_condition(em_reply *reply)
{
    if (em_similar_is_stale(reply))
        em_strbuf_puts(&reply->text,
                       "\nIf this is the place that is meant, edit what still stands there:");
}

void em_similar_add_correction(em_reply *reply)
{
    if (reply->correction && !reply->shows_correction)
        em_strbuf_printf(&reply->text, "\n%s", em_similar_too_long(reply));
    if (!reply->shows_correction)
        return;
    em_similar_add_condition(reply);
    if (em_correction_changes_insert(reply))
        em_add_to_send(reply, reply->words->insert, reply->correction->insert);
    const em_op *op = reply->outcome->failed_op;
    if (!em_op_is_pattern(op) || !em_slice_eq(op->find, reply->correction->find))
        em_add_to_send(reply, reply->words->find, reply->correction->find);
}
