#include "tokens/twin_words.h"

#include "text/token.h"

static const char *const twins[][2] = {
    {"abort", "about"},       {"accent", "accept"},   {"angel", "angle"},
    {"arena", "area"},        {"assert", "asset"},    {"black", "blank"},
    {"black", "block"},       {"case", "cause"},      {"causal", "casual"},
    {"cause", "clause"},      {"chance", "change"},   {"change", "charge"},
    {"cleaned", "cleared"},   {"click", "clock"},     {"clone", "close"},
    {"cloning", "closing"},   {"compact", "compat"},  {"confirm", "conform"},
    {"const", "cost"},        {"content", "context"}, {"contract", "contrast"},
    {"country", "county"},    {"crate", "create"},    {"decay", "delay"},
    {"decide", "decode"},     {"exist", "exit"},      {"export", "expert"},
    {"float", "flat"},        {"font", "front"},      {"form", "from"},
    {"indent", "intent"},     {"infer", "inner"},     {"inner", "inter"},
    {"inout", "input"},       {"insert", "invert"},   {"inserted", "inverted"},
    {"internal", "interval"}, {"last", "least"},      {"later", "layer"},
    {"later", "latter"},      {"leading", "loading"}, {"local", "locale"},
    {"locale", "locate"},     {"locking", "looking"}, {"macro", "micro"},
    {"maker", "marker"},      {"making", "marking"},  {"master", "matter"},
    {"match", "math"},        {"modal", "model"},     {"mode", "model"},
    {"order", "older"},       {"paren", "parent"},    {"parsed", "passed"},
    {"parsed", "paused"},     {"parse", "pause"},     {"parsing", "passing"},
    {"patch", "path"},        {"phase", "phrase"},    {"place", "plane"},
    {"plain", "plan"},        {"point", "print"},     {"prepend", "pretend"},
    {"present", "prevent"},   {"project", "protect"}, {"quiet", "quite"},
    {"radio", "ratio"},       {"reader", "render"},   {"remain", "retain"},
    {"remote", "remove"},     {"replay", "reply"},    {"reset", "rest"},
    {"sample", "simple"},     {"scale", "stale"},     {"scope", "score"},
    {"score", "store"},       {"seed", "speed"},      {"setting", "settling"},
    {"shape", "share"},       {"short", "sort"},      {"site", "suite"},
    {"slack", "stack"},       {"slice", "slide"},     {"slice", "splice"},
    {"smart", "start"},       {"space", "spare"},     {"span", "spawn"},
    {"stage", "state"},       {"stale", "state"},     {"stale", "style"},
    {"start", "stat"},        {"stat", "state"},      {"starts", "stats"},
    {"stats", "status"},      {"stride", "strike"},   {"strike", "stroke"},
    {"strict", "struct"},     {"strip", "stripe"},    {"taken", "token"},
    {"thead", "thread"},      {"theme", "there"},     {"there", "these"},
    {"there", "three"},       {"three", "tree"},      {"though", "through"},
    {"tier", "timer"},        {"tile", "title"},      {"timedout", "timeout"},
    {"trace", "trade"},       {"track", "trick"},     {"tracing", "tracking"},
    {"trail", "trial"},       {"unlink", "uplink"},   {"unload", "upload"},
    {"uint", "unit"},         {"waiting", "writing"}, {"while", "white"},
    {"while", "whole"},       {"white", "write"},     {"width", "with"},
    {"word", "world"},
};

static bool is_word(em_slice s, const char *word)
{
    return em_token_same(s, em_slice_of(word), EM_FOLD_CASE);
}

static bool are_listed(em_slice a, em_slice b)
{
    for (size_t i = 0; i < sizeof twins / sizeof *twins; i++)
        if ((is_word(a, twins[i][0]) && is_word(b, twins[i][1])) ||
            (is_word(a, twins[i][1]) && is_word(b, twins[i][0])))
            return true;
    return false;
}

static bool is_plural(em_slice s)
{
    return s.len > 1 && (s.ptr[s.len - 1] | 0x20) == 's';
}

bool em_are_twin_words(em_slice a, em_slice b)
{
    return are_listed(a, b) ||
           (is_plural(a) && is_plural(b) &&
            are_listed(em_slice_sub(a, 0, a.len - 1), em_slice_sub(b, 0, b.len - 1)));
}
