/* control.c: one reader of code that begins, parts and ends something. Over a range it looks for
 * what is torn out of it; over a page, for the branches of its choices. */
#include "html/control.h"

#include "base/ascii.h"
#include "html/code.h"
#include "html/directive.h"
#include "html/tag.h"

/* How far behind a range the end of what could be a part is looked for. */
enum { FAR = 64 << 10 };

/* Of so many names of a page it is known where the last of them ends something. */
enum { MOST_ENDS = 64 };

/* As many parts in each other are followed where it is about what they choose. */
enum { DEEPEST = 1000 };

/* What speaks of parts, each in its own way. */
typedef enum em_part_kind {
    STATEMENTS,
    BRACES,
    PERCENT,
    PHP,
    DIRECTIVES, /* and behind it those of the other languages, as em_directive_kind has them */
} em_part_kind;

/* A part that was begun in the range and has not ended yet. */
typedef struct em_open_part {
    em_part_kind kind;
    bool sure;     /* such a part always has an end */
    em_slice name; /* of what ends it */
    em_range code;
    size_t branch; /* that has begun last, where choices are read */
} em_open_part;

typedef struct em_part_reader {
    em_slice page, kept;
    em_range range;
    em_arena *arena;
    em_open_part *open;
    size_t count, room;
    em_range piece;         /* the code that is read */
    em_range torn;          /* the first that is */
    em_choices *choices;    /* NULL: they are not read */
    size_t ended;           /* the choice that the piece has ended; EM_NPOS: none */
    em_control_page *asked; /* NULL: choices are read */
    em_status status;
} em_part_reader;

/* ---- Words ---------------------------------------------------------------------------------- */

static bool in_word(char byte)
{
    return em_is_letter_or_digit(byte) || byte == '_';
}

static em_slice first_word(em_slice text)
{
    size_t end = 0;
    while (end < text.len && in_word(text.ptr[end]))
        end++;
    return em_slice_sub(text, 0, end);
}

/* Is it one of these, which have a blank around each? */
static bool is_one_of(em_slice word, const char *list)
{
    for (const char *at = list; word.len > 0 && at[0] && at[1]; at += strcspn(at + 1, " ") + 1)
        if (em_same_in_any_case(word, em_slice_make(at + 1, strcspn(at + 1, " "))))
            return true;
    return false;
}

/* Without the marks that say which white space goes: {%- a -%}, {{~ a ~}}. */
static em_slice inside(em_slice code)
{
    em_slice text = em_slice_sub(code, 2, code.len > 4 ? code.len - 2 : 2);
    while (text.len > 0 && em_is_one_of(text.ptr[0], "-~+"))
        text = em_slice_from(text, 1);
    while (text.len > 0 && em_is_one_of(text.ptr[text.len - 1], "-~+"))
        text.len--;
    return em_slice_trim(text, em_html_space);
}

/* Does it end in "else", without a condition: } else {, else: and the like? */
static bool ends_in_else(em_slice text)
{
    while (text.len > 0 && em_is_one_of(text.ptr[text.len - 1], "{: \n\t\r"))
        text.len--;
    return text.len >= 4 &&
           em_same_in_any_case(em_slice_from(text, text.len - 4), EM_LIT("else")) &&
           (text.len == 4 || !in_word(text.ptr[text.len - 5]));
}

/* Is it for when something is not so: {{^a}}, {% if not a %}, unless a, if (!a)? */
static bool says_not(em_slice text)
{
    if (text.len > 0 && em_is_one_of(text.ptr[0], "#^")) {
        if (text.ptr[0] == '^')
            return true;
        text = em_slice_trim(em_slice_from(text, 1), em_html_space);
    }
    em_slice word = first_word(text);
    if (!is_one_of(word, " if "))
        return is_one_of(word, " unless ");
    text = em_slice_from(text, word.len);
    while (text.len > 0 && em_is_one_of(text.ptr[0], " (\t"))
        text = em_slice_from(text, 1);
    return is_one_of(first_word(text), " not ") || em_slice_starts(text, EM_LIT("!"));
}

/* Does it go round: {% for a in b %}, {{#each a}}, a.each do |b|, a.forEach(b => {? */
static bool loops(em_slice text)
{
    while (text.len > 0 && em_is_one_of(text.ptr[0], "#= "))
        text = em_slice_from(text, 1);
    return is_one_of(first_word(text), " for foreach forelse each range while list tablerow ") ||
           memmem(text.ptr, text.len, ".each", 5) || memmem(text.ptr, text.len, ".forEach", 8);
}

static bool begins_php(em_slice code)
{
    return code.ptr[0] == '<' && code.ptr[1] == '?';
}

/* Is all of it one? */
static bool is_directive(em_slice code, em_directive *directive)
{
    em_code_reader reader = {.bytes = code};
    return em_directive_read(&reader, 0, directive) == code.len;
}

/* What the code says. That of PHP needs no end. */
static em_slice text_of(em_slice code)
{
    em_directive directive;
    if (is_directive(code, &directive))
        return directive.text;
    bool is_php = begins_php(code);
    em_slice text = is_php && !em_slice_ends(code, EM_LIT("?>"))
                        ? em_slice_trim(em_slice_from(code, 2), em_html_space)
                        : inside(code);
    if (is_php && em_same_in_any_case(first_word(text), EM_LIT("php")))
        text = em_slice_trim(em_slice_from(text, 3), em_html_space);
    return text;
}

/* ---- Branches ------------------------------------------------------------------------------- */

static em_status add_choice(em_part_reader *f, size_t *added)
{
    em_choices *choices = f->choices;
    void *items = choices->items;
    EM_TRY(em_arena_grow(f->arena, &items, choices->count, &choices->room, sizeof(em_choice)));
    choices->items = items;
    choices->items[ *added = choices->count++] = (em_choice){0};
    return EM_OK;
}

/* The next branch of a choice, behind the piece. */
static em_status add_branch(em_part_reader *f, em_part_kind kind, size_t choice, size_t around,
                            size_t *added)
{
    em_choices *choices = f->choices;
    void *items = choices->branches;
    EM_TRY(em_arena_grow(f->arena, &items, choices->branch_count, &choices->branch_room,
                         sizeof(em_branch)));
    choices->branches = items;
    em_choice *of = &choices->items[choice];
    em_slice text = text_of(em_slice_sub(f->page, f->piece.start, f->piece.end));
    size_t number = of->branches++;
    of->has_else = ends_in_else(text) || em_slice_is(text, "^") || em_slice_is(text, "??");
    of->negated |= number == 0 && says_not(text);
    of->loops |= number == 0 && loops(text);
    choices->branches[ *added = choices->branch_count++] =
        (em_branch){.range = {f->piece.end, EM_NPOS},
                    .choice = choice,
                    .rank = of->negated && number < 2 ? 1 - number : number,
                    .around = around,
                    .directed = kind >= DIRECTIVES};
    return EM_OK;
}

/* What begins where another has just ended ("} else {") is the next branch of the same choice. */
static em_status begin_choice(em_part_reader *f, em_open_part *part)
{
    size_t choice = f->ended;
    size_t around = f->count > 1 ? part[-1].branch : EM_NPOS;
    if (choice == EM_NPOS)
        EM_TRY(add_choice(f, &choice));
    f->ended = EM_NPOS;
    return add_branch(f, part->kind, choice, around, &part->branch);
}

static void end_branch(em_part_reader *f, const em_open_part *part)
{
    f->choices->branches[part->branch].range.end = f->piece.start;
}

static em_status next_branch(em_part_reader *f, em_open_part *part)
{
    em_branch last = f->choices->branches[part->branch];
    end_branch(f, part);
    return add_branch(f, part->kind, last.choice, last.around, &part->branch);
}

/* ---- Parts ---------------------------------------------------------------------------------- */

static void note_torn(em_part_reader *f, em_range code)
{
    em_slice text = em_slice_sub(f->page, code.start, code.end);
    if (f->torn.end == 0 && !em_slice_holds(f->kept, text))
        f->torn = code;
}

static void begin(em_part_reader *f, em_part_kind kind, em_slice name, bool sure)
{
    void *items = f->open;
    if (f->choices && (!sure || f->count == DEEPEST))
        return;
    if (f->status != EM_OK ||
        em_arena_grow(f->arena, &items, f->count, &f->room, sizeof *f->open) != EM_OK) {
        f->status = EM_E_NOMEM;
        return;
    }
    f->open = items;
    f->open[f->count++] = (em_open_part){kind, sure, name, f->piece, EM_NPOS};
    if (f->choices)
        f->status = begin_choice(f, &f->open[f->count - 1]);
}

/* The innermost of them that is open; an empty name is that of all. */
static size_t find_open(const em_part_reader *f, em_part_kind kind, em_slice name, bool sure)
{
    size_t at = f->count;
    while (at > 0) {
        const em_open_part *part = &f->open[at - 1];
        bool same = name.len == 0 || em_same_in_any_case(part->name, name);
        if (part->kind == kind && same && (part->sure || !sure))
            break;
        at--;
    }
    return at;
}

/* What could have begun behind the part was none. */
static void end(em_part_reader *f, em_part_kind kind, em_slice name)
{
    size_t at = find_open(f, kind, name, false), kept = at > 0 ? at - 1 : 0;
    if (at == 0) {
        note_torn(f, f->piece);
        return;
    }
    if (f->choices) {
        end_branch(f, &f->open[at - 1]);
        f->ended = f->choices->branches[f->open[at - 1].branch].choice;
    }
    for (size_t i = at; i < f->count; i++)
        if (f->open[i].sure || f->open[i].kind != kind)
            f->open[kept++] = f->open[i];
    f->count = kept;
}

static void part(em_part_reader *f, em_part_kind kind)
{
    size_t at = find_open(f, kind, (em_slice){0}, true);
    if (at == 0)
        note_torn(f, f->piece);
    else if (f->choices && f->status == EM_OK)
        f->status = next_branch(f, &f->open[at - 1]);
}

/* ---- Kinds of code -------------------------------------------------------------------------- */

/* Is what has begun last a {% switch %}? */
static bool in_switch(const em_part_reader *f)
{
    size_t at = find_open(f, STATEMENTS, (em_slice){0}, true);
    return at > 0 && em_slice_is(f->open[at - 1].name, "switch");
}

/* What {% end %} ends, which is the end of all that have one in Tornado. */
static em_slice last_begun(const em_part_reader *f)
{
    for (size_t at = f->count; at > 0; at--) {
        const em_open_part *part = &f->open[at - 1];
        if (part->kind == STATEMENTS && is_one_of(part->name, " apply block for if try while "))
            return part->name;
    }
    return EM_LIT("end");
}

/* {% if %} {% else %} {% endif %}, of Jinja, Django, Liquid and Twig. */
static void read_statement(em_part_reader *f, em_slice text)
{
    em_slice word = first_word(text);
    if (em_slice_is(word, "comment") && em_slice_ends(text, EM_LIT("endcomment")))
        return; /* all of it */
    if (em_slice_is(word, "end"))
        end(f, STATEMENTS, last_begun(f));
    else if (em_slice_starts(word, EM_LIT("end")))
        end(f, STATEMENTS, em_slice_from(word, 3));
    else if (is_one_of(word, " else elif elseif elsif when empty plural except finally ") ||
             (is_one_of(word, " case default ") && in_switch(f)))
        part(f, STATEMENTS);
    else if (word.len > 0)
        begin(f, STATEMENTS, word,
              is_one_of(word,
                        " apply if ifequal ifnotequal ifchanged unless for foreach while case "
                        "switch try with block macro filter autoescape comment raw verbatim "
                        "spaceless blocktrans blocktranslate tablerow "));
}

/* Does the page have an {{if}} to which an {{end}} can belong? */
static bool find_go(em_slice page)
{
    em_code_reader reader = {.bytes = page};
    for (size_t at = 0, end; at + 1 < page.len; at++) {
        if (page.ptr[at] != '{' || page.ptr[at + 1] != '{' ||
            (end = em_code_read(&reader, at)) == at)
            continue;
        em_slice text = inside(em_slice_sub(page, at, end)), word = first_word(text);
        if (is_one_of(word, " if range with block define ") && word.len < text.len &&
            em_html_space(text.ptr[word.len]))
            return true;
    }
    return false;
}

/* The same, looked for once. */
static bool has_go(em_control_page *page)
{
    if (page->go == EM_GO_UNKNOWN)
        page->go = find_go(page->bytes) ? EM_GO_THERE : EM_GO_NOT_THERE;
    return page->go == EM_GO_THERE;
}

/* {{{{a}}}} {{{{/a}}}} of Handlebars, without the outer two of the braces that begin it. */
static void read_raw_block(em_part_reader *f, em_slice text)
{
    text = em_slice_trim(em_slice_from(text, 2), em_html_space);
    bool ends = em_slice_starts(text, EM_LIT("/"));
    em_slice name = first_word(em_slice_from(text, ends || em_slice_starts(text, EM_LIT("#"))));
    if (ends)
        end(f, BRACES, name);
    else
        begin(f, BRACES, name, true);
}

/* {{? a}} {{??}} {{?}} and {{~ a :b }} {{~}} of doT. Is it one of these? The '~' is none of `text`,
 * since it says more often which white space goes. */
static bool read_dot(em_part_reader *f, em_slice code, em_slice text)
{
    char sign = code.ptr[2];
    bool loops = sign == '~' && text.len > 0 && em_slice_has_byte(text, ':');
    if (sign == '?' && em_slice_starts(text, EM_LIT("??")))
        part(f, BRACES);
    else if ((sign == '?' && text.len > 1) || (loops && in_word(text.ptr[0])))
        begin(f, BRACES, em_slice_sub(code, 2, 3), true);
    else if ((sign == '?' && text.len == 1) || em_slice_is(code, "{{~}}"))
        end(f, BRACES, em_slice_sub(code, 2, 3));
    else
        return false;
    return true;
}

/* {{#a}} {{/a}} of Mustache and Handlebars, {{if a}} {{end}} of Go. */
static void read_braces(em_part_reader *f, em_slice text)
{
    if (em_slice_starts(text, EM_LIT("{{"))) {
        read_raw_block(f, text);
        return;
    }
    char first = text.len > 0 ? text.ptr[0] : '\0';
    em_slice rest = em_slice_trim(em_slice_from(text, text.len > 0), em_html_space);
    while (rest.len > 0 && em_is_one_of(rest.ptr[0], ">* "))
        rest = em_slice_from(rest, 1);
    size_t length = 0;
    while (length < rest.len && !em_html_space(rest.ptr[length]))
        length++;
    em_slice name = em_slice_sub(rest, 0, length), word = first_word(text);
    bool has_more = word.len < text.len && em_html_space(text.ptr[word.len]);
    if (first == '/')
        end(f, BRACES, name);
    else if ((first == '#' || first == '^') && name.len > 0)
        begin(f, BRACES, name, true);
    else if (first == '$' && name.len == rest.len)
        begin(f, BRACES, name, false);
    else if (first == '^' || is_one_of(word, " else "))
        part(f, BRACES);
    else if (is_one_of(word, " if range with block define ") && has_more &&
             !em_is_one_of(text.ptr[word.len + 1], "|=+*?&"))
        begin(f, BRACES, EM_LIT("end"), true);
    else if (is_one_of(text, " end ") &&
             (find_open(f, BRACES, text, true) > 0 || (!f->choices && has_go(f->asked))))
        end(f, BRACES, text);
}

/* Behind the string or comment that begins at `at` of a program; `at`: none does. */
static size_t skip_string(em_slice text, size_t at)
{
    char quote = text.ptr[at], after = at + 1 < text.len ? text.ptr[at + 1] : '\0';
    if (quote == '/' && (after == '/' || after == '*')) {
        const char *closing = after == '/' ? "\n" : "*/";
        const char *found = memmem(text.ptr + at + 2, text.len - at - 2, closing, strlen(closing));
        return found ? (size_t)(found - text.ptr) + strlen(closing) : text.len;
    }
    if (quote != '"' && quote != '\'' && quote != '`')
        return at;
    for (size_t i = at + 1; i < text.len; i++) {
        if (text.ptr[i] == '\\')
            i++;
        else if (text.ptr[i] == quote)
            return i + 1;
    }
    return at;
}

/* What a program opens and closes, and the ends by words that PHP has. */
typedef struct em_program {
    em_slice last; /* the word that the last statement begins with */
    bool braced;
} em_program;

static em_program read_program(em_part_reader *f, em_part_kind kind, em_slice text)
{
    em_program program = {0};
    size_t open = 0;
    bool begins = true;
    for (size_t i = 0; i < text.len; i++) {
        char byte = text.ptr[i];
        size_t behind = skip_string(text, i);
        if (behind > i) {
            i = behind - 1;
            continue;
        }
        if (byte == '}' && open == 0)
            end(f, kind, EM_LIT("}"));
        open = byte == '{' ? open + 1 : byte == '}' && open > 0 ? open - 1 : open;
        program.braced |= byte == '{' || byte == '}';
        if (in_word(byte) && begins) {
            program.last = first_word(em_slice_from(text, i));
            if (kind == PHP &&
                is_one_of(program.last, " endif endfor endforeach endwhile endswitch "))
                end(f, PHP, em_slice_from(program.last, 3));
            i += program.last.len - 1;
        }
        begins = em_is_one_of(byte, ";{}:") || (begins && em_html_space(byte));
    }
    for (; open > 0; open--)
        begin(f, kind, EM_LIT("}"), true);
    return program;
}

static void read_php(em_part_reader *f, em_slice text)
{
    em_program program = read_program(f, PHP, text);
    if (text.len == 0 || text.ptr[text.len - 1] != ':')
        return;
    if (is_one_of(program.last, " if for foreach while switch "))
        begin(f, PHP, program.last, true);
    else if (is_one_of(program.last, " else elseif case default "))
        part(f, PHP);
}

/* Does it end in "do", or "do |a, b|"? */
static bool ends_in_do(em_slice text)
{
    if (text.len > 0 && text.ptr[text.len - 1] == '|') {
        text.len--;
        while (text.len > 0 && text.ptr[text.len - 1] != '|')
            text.len--;
        text.len -= text.len > 0;
        text = em_slice_trim(text, em_html_space);
    }
    return em_slice_ends(text, EM_LIT("do")) && (text.len == 2 || !in_word(text.ptr[text.len - 3]));
}

/* JavaScript and Java have braces; Ruby and Basic have words. */
static void read_percent(em_part_reader *f, em_slice text)
{
    em_slice by_word = EM_LIT("end");
    if (text.len > 0 && em_is_one_of(text.ptr[0], "#@!"))
        return;
    bool writes = text.len > 0 && text.ptr[0] == '=';
    text = em_slice_trim(em_slice_from(text, writes), em_html_space);
    em_program program = read_program(f, PERCENT, text);
    em_slice word = first_word(text);
    bool is_whole = em_slice_ends(text, EM_LIT(" end")) || em_slice_ends(text, EM_LIT(";"));
    if (ends_in_do(text))
        begin(f, PERCENT, by_word, true);
    if (program.braced || writes)
        return;
    if (is_one_of(word, " end wend loop ") || is_one_of(text, " next "))
        end(f, PERCENT, by_word);
    else if (is_one_of(word, " else elsif elseif when rescue ensure "))
        part(f, PERCENT);
    else if (!is_whole && !ends_in_do(text) &&
             is_one_of(word, " if unless while until case for begin do select "))
        begin(f, PERCENT, by_word, true);
}

/* What of them belongs together is looked for in the page as a whole. */
static void read_directive(em_part_reader *f, const em_directive *directive)
{
    em_part_kind kind = DIRECTIVES + (em_part_kind)directive->kind;
    if (!f->choices)
        return;
    if (directive->role == EM_DIRECTIVE_BEGINS)
        begin(f, kind, directive->name, true);
    else if (directive->role == EM_DIRECTIVE_PARTS)
        part(f, kind);
    else
        end(f, kind, directive->name);
}

static void read_piece(em_part_reader *f, em_slice code)
{
    em_directive directive;
    if (is_directive(code, &directive)) {
        read_directive(f, &directive);
        return;
    }
    bool is_php = begins_php(code);
    em_slice text = text_of(code);
    if (em_slice_starts(code, EM_LIT("{%")))
        read_statement(f, text);
    else if (em_slice_starts(code, EM_LIT("{{")) && !read_dot(f, code, text))
        read_braces(f, text);
    else if (is_php && (text.len == 0 || text.ptr[0] != '='))
        read_php(f, text);
    else if (em_slice_starts(code, EM_LIT("<%")))
        read_percent(f, text);
}

/* ---- The range ------------------------------------------------------------------------------ */

static void read_range(em_part_reader *f)
{
    em_code_reader reader = {.bytes = f->page};
    for (size_t at = f->range.start; at < f->range.end && f->torn.end == 0 && f->status == EM_OK;) {
        char byte = f->page.ptr[at];
        bool may_begin = byte == '<' || byte == '{' || byte == '@';
        size_t to = may_begin ? em_code_read(&reader, at) : at;
        f->piece = (em_range){at, to};
        if (to > f->range.end)
            note_torn(f, f->piece);
        else if (to > at)
            read_piece(f, em_slice_sub(f->page, at, to));
        at = to > at ? to : at + 1;
    }
}

static em_statement_end *find_end(const em_control_page *page, em_slice name)
{
    for (size_t i = 0; i < page->end_count; i++)
        if (em_same_in_any_case(page->ends[i].name, name))
            return &page->ends[i];
    return NULL;
}

static em_status note_end(em_control_page *page, em_slice name, size_t at)
{
    em_statement_end *known = find_end(page, name);
    if (!known && page->end_count == MOST_ENDS)
        return EM_OK;
    if (!known) {
        EM_TRY(em_arena_grow(page->arena, (void **)&page->ends, page->end_count, &page->end_room,
                             sizeof *page->ends));
        known = &page->ends[page->end_count++];
        known->name = name;
    }
    known->last = at;
    return EM_OK;
}

/* Of the names that something in the page ends by, where it does so last. */
static em_status find_ends(em_control_page *page)
{
    em_code_reader reader = {.bytes = page->bytes};
    em_slice bytes = page->bytes;
    for (size_t at = 0, end; at + 1 < bytes.len && !page->ends_known; at++) {
        end = bytes.ptr[at] == '{' && bytes.ptr[at + 1] == '%' ? em_code_read(&reader, at) : at;
        if (end == at)
            continue;
        em_slice word = first_word(inside(em_slice_sub(bytes, at, end)));
        if (em_slice_starts(word, EM_LIT("end")))
            EM_TRY(note_end(page, em_slice_from(word, 3), at));
    }
    page->ends_known = true;
    return EM_OK;
}

/* Does something end soon behind the range that only the code `part` can have begun? */
static bool ends_behind(const em_part_reader *f, const em_open_part *part)
{
    const em_statement_end *last = find_end(f->asked, part->name);
    if (last ? last->last < f->range.end : f->asked->end_count < MOST_ENDS)
        return false;
    size_t depth = 1;
    em_slice page = em_slice_sub(
        f->page, 0, f->page.len - f->range.end < FAR ? f->page.len : f->range.end + FAR);
    em_code_reader reader = {.bytes = page};
    for (size_t at = f->range.end; at + 1 < page.len; at++) {
        if (page.ptr[at] != '{' || page.ptr[at + 1] != '%')
            continue;
        size_t to = em_code_read(&reader, at);
        if (to == at)
            continue;
        em_slice word = first_word(inside(em_slice_sub(page, at, to)));
        bool ends = em_slice_starts(word, EM_LIT("end")) &&
                    em_same_in_any_case(em_slice_from(word, 3), part->name);
        depth += em_same_in_any_case(word, part->name);
        if (ends && --depth == 0)
            return true;
    }
    return false;
}

em_status em_control_torn(em_control_page *page, em_range range, em_slice kept, em_arena *scratch,
                          em_range *torn)
{
    em_part_reader f = {
        .page = page->bytes, .kept = kept, .range = range, .arena = scratch, .asked = page};
    read_range(&f);
    em_slice last = {0}; /* of which no end comes: often the same one stands there again */
    for (size_t i = 0; i < f.count && f.torn.end == 0 && f.status == EM_OK; i++) {
        const em_open_part *part = &f.open[i];
        bool unknown = !part->sure && part->kind == STATEMENTS && !em_slice_eq(part->name, last);
        if (unknown)
            EM_TRY(find_ends(page));
        if (part->sure || (unknown && ends_behind(&f, part)))
            note_torn(&f, part->code);
        else if (unknown)
            last = part->name;
    }
    *torn = f.torn;
    return f.status;
}

em_status em_control_choices(em_slice page, const em_range *pieces, size_t count, em_arena *arena,
                             em_choices *choices)
{
    em_part_reader f = {.page = page, .arena = arena, .choices = choices};
    *choices = (em_choices){0};
    for (size_t i = 0; i < count && f.count < DEEPEST && f.status == EM_OK; i++) {
        f.piece = pieces[i];
        f.ended = EM_NPOS;
        read_piece(&f, em_slice_sub(page, f.piece.start, f.piece.end));
    }
    return f.status;
}
