#include "calls.h"
#include "commit_fails.h"
#include "memory.h"

#define TOOLS "editor,read_file"
#define EDIT "mcp__editor__Edit"

/* The value of a key of `_meta`; NULL. */
static const char *meta(const caller *c, const char *key)
{
    return json_string_value(json_object_get(c->answer.meta, key));
}

static void edit(caller *c, const char *arguments)
{
    call(c, EDIT, arguments);
}

/* ---- The forms of the document ------------------------------------------------------------- */

/* One call on the file t.txt. */
typedef struct row {
    const char *what, *before, *arguments; /* without file_path */
    bool is_error;
    const char *text, *after; /* `after` NULL: as before */
} row;

#define DONE(edits, replacements)                                                                  \
    "Successfully applied " edits " edit(s) (" replacements " replacement(s)) to 't.txt'"
#define UNIQUE "\n\nInclude more context to make it unique, or set replace_all: true."

static const row rows[] = {
    /* the list of tests in the document */
    {"basic replace", "Hello, world!\n",
     "'edits':[{'old_text':'world','new_text':'Rust','replace_all':false}]", false, DONE("1", "1"),
     "Hello, Rust!\n"},
    {"multiple edits", "fn old_name() {\n    println!(\"test\");\n}\n",
     "'edits':[{'old_text':'fn old_name()','new_text':'fn new_name()'},"
     "{'old_text':'(\\u0022test','new_text':'(\\u0022updated'}]",
     false, DONE("2", "2"), "fn new_name() {\n    println!(\"updated\");\n}\n"},
    {"non unique", "fn test()\nfn test()\n",
     "'edits':[{'old_text':'fn test()','new_text':'fn x()'}]", true,
     "Edit #1: old_text appears 2 times (must be unique).\nSearching for:\nfn test()" UNIQUE, NULL},
    {"non unique anchor", "q\nq r\n", "'operation':'replace','anchor':'q','content':'z'", true,
     "Anchor appears 2 times (must be unique).\nSearching for:\nq\n\n"
     "Include more context to make it unique.\nCause: ambiguous\n"
     "Line 1, column 1: q\nLine 2, column 1: q r",
     NULL},
    {"anchor not found", "fn a() {}\n", "'operation':'delete','anchor':'fn missing_function()'",
     true,
     "Anchor not found in file.\nSearching for:\nfn missing_function()\nCause: not_found\n"
     "Use read_file to see the exact content, then copy it precisely",
     NULL},
    {"insert after", "use std::io;\nfn main() {}\n",
     "'operation':'insert_after','anchor':'use std::io;\\n','content':'use std::fs;\\n'", false,
     DONE("1", "1"), "use std::io;\nuse std::fs;\nfn main() {}\n"},
    {"insert before", "x\nfn main() {\n}\n",
     "'operation':'insert_before','anchor':'fn main() {','content':'/// Main\\n'", false,
     DONE("1", "1"), "x\n/// Main\nfn main() {\n}\n"},
    {"delete", "fn a() {\n    old();\n}\n", "'operation':'delete','anchor':'    old();\\n'", false,
     DONE("1", "1"), "fn a() {\n}\n"},
    {"append", "fn a() {}\n", "'operation':'append','content':'\\nfn b() {}\\n'", false,
     DONE("1", "1"), "fn a() {}\n\nfn b() {}\n"},
    {"prepend", "fn a() {}\n", "'operation':'prepend','content':'// Copyright\\n'", false,
     DONE("1", "1"), "// Copyright\nfn a() {}\n"},
    {"whitespace preservation", "    fn test() {\n\t}\n",
     "'edits':[{'old_text':'    fn test() {','new_text':'    fn best() {'}]", false, DONE("1", "1"),
     "    fn best() {\n\t}\n"},
    {"replace all", "v + v;\nf(v, v, v);\n",
     "'edits':[{'old_text':'v','new_text':'w','replace_all':true}]", false, DONE("1", "5"),
     "w + w;\nf(w, w, w);\n"},
    {"replace all false", "q q\n", "'edits':[{'old_text':'q','new_text':'z','replace_all':false}]",
     true, "Edit #1: old_text appears 2 times (must be unique).\nSearching for:\nq" UNIQUE, NULL},
    {"replace all of none", "q q\n", "'edits':[{'old_text':'w','new_text':'z','replace_all':true}]",
     true,
     "Edit #1: old_text not found in file.\nSearching for:\nw\nCause: not_found\n"
     "Use read_file to see the exact content, then copy it precisely",
     NULL},
    /* its other sentences */
    {"the replace operation", "fn a() {}\n",
     "'operation':'replace','anchor':'fn a()','content':'fn b()'", false, DONE("1", "1"),
     "fn b() {}\n"},
    {"the count of replacements", "a b b b b\n",
     "'edits':[{'old_text':'a','new_text':'x'},{'old_text':'b','new_text':'y','replace_all':true}]",
     false, DONE("2", "5"), "x y y y y\n"},
    {"edits count from 1, and none is done", "a\nt\nt\nt\n",
     "'edits':[{'old_text':'a','new_text':'b'},{'old_text':'t','new_text':'x'}]", true,
     "Edit #2: old_text appears 3 times (must be unique).\nSearching for:\nt" UNIQUE, NULL},
    {"each edit sees those before it", "a\n",
     "'edits':[{'old_text':'a','new_text':'b'},{'old_text':'b','new_text':'c'}]", false,
     DONE("2", "2"), "c\n"},
    {"replace with nothing", "ab\n", "'operation':'replace','anchor':'b','content':''", false,
     DONE("1", "1"), "a\n"},
    {"empty texts that do not belong there", "ab\n",
     "'operation':'delete','anchor':'b','content':''", false, DONE("1", "1"), "a\n"},
    {"line endings are kept", "a\r\nb\r\n",
     "'operation':'insert_after','anchor':'a\\n','content':'x\\n'", false, DONE("1", "1"),
     "a\r\nx\r\nb\r\n"},
    {"the empty text of an empty file", "", "'edits':[{'old_text':'','new_text':'x'}]", false,
     DONE("1", "1"), "x"},
    {"edits that cancel out", "a\n",
     "'edits':[{'old_text':'a','new_text':'b'},{'old_text':'b','new_text':'a'}]", false,
     DONE("2", "2") "\nWarning: together the edits change nothing", NULL},
    {"a slip that is allowed", "a  b\n",
     "'edits':[{'old_text':'a b','new_text':'a c'}],'match':'token'", false,
     DONE("1", "1") "\nMatch: tier whitespace, score 1.00, line 1; replaced was (between >>> and "
                    "<<<):\n>>>a  b<<<",
     "a  c\n"},
    {"a slip that is allowed, twice", "a  b\na\tb\n",
     "'edits':[{'old_text':'a b','new_text':'a c'}],'match':'token'", true,
     "Edit #1: old_text appears 2 times (must be unique).\nSearching for:\na b" UNIQUE
     "\nNone of them is exact: they match at tier whitespace\nLine 1, column 1: a  b\n"
     "Line 2, column 1: a\tb",
     NULL},
    {"a slip in the lines that are searched", "x\nif  (a)\n",
     "'edits':[{'old_text':'if (a)','new_text':'if (b)','start_line':2}]", true,
     "Edit #1: old_text not found in file.\nSearching for:\nif (a)\nCause: whitespace\n"
     "Only the lines from 2 on were searched\n"
     "old_text has other blanks within or behind its lines\n"
     "Most similar text (85% similar, line 2; → is a tab, · a blank):\n   2 | if··(a)\n"
     "  Difference: Extra space after 'if'\n"
     "Send as new_text (between >>> and <<<):\n>>>if  (b)<<<\n"
     "Send as old_text (between >>> and <<<):\n>>>if  (a)<<<",
     NULL},
    {"a slip beside the lines that are searched", "if  (a)\nx\n",
     "'edits':[{'old_text':'if (a)','new_text':'if (b)','start_line':2}]", true,
     "Edit #1: old_text not found in file.\nSearching for:\nif (a)\nCause: not_found\n"
     "Only the lines from 2 on were searched; text like it stands at line 1:\n   1 | if  (a)\n"
     "If that place is meant, send start_line 1 and end_line 1, and as old_text what stands there",
     NULL},
    {"a slip that only begins in the lines that are searched",
     "def f():\n    if x:\n        go(1)\n    return 3\n",
     "'edits':[{'old_text':'    if x:\\n      go(1)\\n','new_text':'    if y:\\n      go(1)\\n',"
     "'start_line':1,'end_line':2}]",
     true,
     "Edit #1: old_text not found in file.\nSearching for:\n    if x:\n      go(1)\n\n"
     "Cause: not_found\n"
     "Only the lines from 1 to 2 were searched; text like it stands at lines 2 to 3:\n"
     "   2 |     if x:\n   3 |         go(1)\n"
     "If that place is meant, send start_line 2 and end_line 3, and as old_text what stands there",
     NULL},
    {"one of two slips in the lines that are searched", "if  (a)\nif  (a)\nif  (a)\n",
     "'edits':[{'old_text':'if (a)\\n','new_text':'if (b)\\n','start_line':2,'end_line':2}]", true,
     "Edit #1: old_text not found in file.\nSearching for:\nif (a)\n\nCause: whitespace\n"
     "Only the lines from 2 to 2 were searched\n"
     "old_text has other blanks within or behind its lines\n"
     "Most similar text (85% similar, line 2; → is a tab, · a blank):\n   2 | if··(a)\n"
     "  Difference: Extra space after 'if'\n"
     "Send as new_text (between >>> and <<<):\n>>>if  (b)\n<<<\n"
     "Send as old_text (between >>> and <<<):\n>>>if  (a)\n<<<",
     NULL},
    {"a slip in these lines, and as it is elsewhere", "if (a)\nx\nif  (a)\n",
     "'edits':[{'old_text':'if (a)','new_text':'if (b)','start_line':3}]", true,
     "Edit #1: old_text not found in file.\nSearching for:\nif (a)\nCause: whitespace\n"
     "Only the lines from 3 on were searched; it stands at line 1\n"
     "old_text has other blanks within or behind its lines\n"
     "Most similar text (85% similar, line 3; → is a tab, · a blank):\n   3 | if··(a)\n"
     "  Difference: Extra space after 'if'\n"
     "Send as new_text (between >>> and <<<):\n>>>if  (b)<<<\n"
     "Send as old_text (between >>> and <<<):\n>>>if  (a)<<<",
     NULL},
    {"another case in these lines, and as it is elsewhere", "if (a)\nx\nIF (a)\n",
     "'edits':[{'old_text':'if (a)','new_text':'if (b)','start_line':2,'end_line':2}]", true,
     "Edit #1: old_text not found in file.\nSearching for:\nif (a)\nCause: not_found\n"
     "Only the lines from 2 to 2 were searched; it stands at line 1\n"
     "If that place is meant, send start_line 1 and end_line 1",
     NULL},
    {"stale lines where it is kept to, and as it is elsewhere",
     "one(1);\ntwo(2);\none(1);\nthree(3);\n",
     "'edits':[{'old_text':'one(1);\\ntwo(2);','new_text':'x','start_line':3}]", true,
     "Edit #1: old_text not found in file.\nSearching for:\none(1);\ntwo(2);\nCause: not_found\n"
     "Only the lines from 3 on were searched; it stands at lines 1 to 2\n"
     "If that place is meant, send start_line 1 and end_line 2",
     NULL},
    /* mistakes */
    {"the same text", "a\n", "'edits':[{'old_text':'a','new_text':'a'}]", true,
     "Edit #1: old_text and new_text are the same, so nothing would change in t.txt\n"
     "Cause: no_change\nSend as new_text the text as it should become",
     NULL},
    {"the same text at an anchor", "a\n", "'operation':'replace','anchor':'a','content':'a'", true,
     "anchor and content are the same, so nothing would change in t.txt\n"
     "Cause: no_change\nSend as content the text as it should become",
     NULL},
    {"nothing to insert", "a\n", "'operation':'append','content':''", true,
     "t.txt: there is nothing to insert\nCause: no_change", NULL},
    {"nothing to delete", "", "'operation':'delete','anchor':''", true,
     "t.txt: there is nothing to delete\nCause: no_change", NULL},
    {"an empty anchor", "a\n", "'operation':'insert_after','anchor':'','content':'x'", true,
     "anchor is empty, but t.txt is not\nCause: empty_search\n"
     "The anchor is the text at which the operation is done; only append and prepend need none",
     NULL},
    {"made before", "const answer = 42;\n",
     "'edits':[{'old_text':'const answr = 41;','new_text':'const answer = 42;'}]", true,
     "Edit #1: old_text not found in file.\nSearching for:\nconst answr = 41;\n"
     "Cause: already_applied\n"
     "new_text stands in the file already, at line 1: leave this edit out",
     NULL},
    {"made before, in the lines that are searched", "x\none  call(1);\ntwo_calls(2);\n",
     "'edits':[{'old_text':'one call(1);\\n','new_text':'one call(1);\\ntwo_calls(2);\\n',"
     "'start_line':2}],'match':'whitespace'",
     true,
     "Edit #1: old_text not found in file.\nSearching for:\none call(1);\n\n"
     "Cause: already_applied\n"
     "new_text stands in the file already, at line 2: leave this edit out",
     NULL},
    {"a placeholder", "f();\n",
     "'operation':'replace','anchor':'f();','content':'g();\\n// ... rest unchanged ...'", true,
     "content leaves out text that belongs there: \"// ... rest unchanged ...\"\n"
     "Cause: placeholder\nSuch a line would replace the code that it stands for. Send as content "
     "all text that is to be there afterwards",
     NULL},
    {"a NUL", "a\n", "'edits':[{'old_text':'a','new_text':'\\u0000'}]", true,
     "Edit #1: new_text holds a NUL character\nCause: nul\n"
     "A file with a NUL is no text any more: leave it out",
     NULL},
    /* patterns */
    {"a pattern with groups", "a=1\nb=2\n",
     "'edits':[{'old_text':'^(\\\\w)=(\\\\d)$','new_text':'$2=$1','regex':true,"
     "'replace_all':true}]",
     false, DONE("1", "2"), "1=a\n2=b\n"},
    {"a pattern must match once", "a=1\nb=2\n",
     "'edits':[{'old_text':'\\\\d','new_text':'0','regex':true}]", true,
     "Edit #1: old_text appears 2 times (must be unique).\nSearching for:\n\\d" UNIQUE, NULL},
    {"a pattern without a match", "a=1\n",
     "'edits':[{'old_text':'z+','new_text':'0','regex':true}]", true,
     "Edit #1: old_text not found in file.\nSearching for:\nz+\nCause: not_found\n"
     "This is a pattern (regex is true), and nothing matches it",
     NULL},
    {"a pattern between slashes", "a.b\nacb\n",
     "'edits':[{'old_text':'/A\\\\.B/gi','new_text':'0','regex':true}]", true,
     "Edit #1: old_text not found in file.\nSearching for:\n/A\\.B/gi\nCause: not_found\n"
     "This is a pattern (regex is true), and nothing matches it; without the slashes around it "
     "something does\n"
     "Send as old_text (between >>> and <<<):\n>>>(?i)A\\.B<<<",
     NULL},
    {"... of which there are two", "a.b\nacb\n",
     "'edits':[{'old_text':'/a.b/g','new_text':'0','regex':true}]", true,
     "Edit #1: old_text not found in file.\nSearching for:\n/a.b/g\nCause: not_found\n"
     "This is a pattern (regex is true), and nothing matches it",
     NULL},
    {"... of a path, as what comes is", "int usr;\n",
     "'edits':[{'old_text':'/usr/','new_text':'/opt/','regex':true}]", true,
     "Edit #1: old_text not found in file.\nSearching for:\n/usr/\nCause: not_found\n"
     "This is a pattern (regex is true), and nothing matches it",
     NULL},
    {"a malformed pattern", "a\n", "'edits':[{'old_text':'(a','new_text':'b','regex':true}]", true,
     "Edit #1: t.txt: the pattern is malformed at offset 2: missing closing parenthesis\n"
     "Cause: pattern",
     NULL},
    {"a pattern that fails while it is matched", "x\n",
     "'edits':[{'old_text':'(?R)|x','new_text':'b','regex':true}]", true,
     "Edit #1: t.txt: the pattern failed while it was matched: nested recursion at the same "
     "subject "
     "position\nCause: pattern",
     NULL},
    {"a template with a group that is not there", "abc\n",
     "'edits':[{'old_text':'(b)','new_text':'$10','regex':true}]", true,
     "Edit #1: t.txt: the replacement refers to group 10, but the pattern has 1 group: for group 1 "
     "and a digit behind it send ${1}0\nCause: pattern\n"
     "Send as new_text (between >>> and <<<):\n>>>${1}0<<<",
     NULL},
    {"a pattern whose template leaves something out", "def f():\n  pass\n",
     "'edits':[{'old_text':'pass','new_text':'# ... existing code ...','regex':true}]", true,
     "Edit #1: new_text leaves out text that belongs there: \"# ... existing code ...\"\n"
     "Cause: placeholder\n"
     "Such a line would replace the code that it stands for. Send as new_text all text that is to "
     "be there afterwards",
     NULL},
    {"a pattern that names what its template leaves out", "# ... existing code ...\nx\n",
     "'edits':[{'old_text':'^(# \\\\.{3} existing|# \\\\.\\\\.\\\\. existing code "
     "\\\\.\\\\.\\\\.)\\\\nx','new_text':'# ... existing code ...\\\\ny','regex':true}]",
     false, DONE("1", "1"), "# ... existing code ...\ny\n"},
    {"a pattern that explodes", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab\n",
     "'edits':[{'old_text':'(a+)+$','new_text':'b','regex':true}]", true,
     "Edit #1: t.txt: the pattern takes too many steps at one place of this file\n"
     "Nothing was written. A run such as [ \\t]+ is tried again at each of its characters, and "
     "gives back one after the other: let it begin where the run does and keep what it has, "
     "(?<![ \\t])[ \\t]++$ for [ \\t]+$, and put no run into a run, (a+)+. Or keep the edit to "
     "start_line and end_line. Who runs the server can give more time with --deadline",
     NULL},
    {"a pattern that gives back what was there", "a\n",
     "'edits':[{'old_text':'a','new_text':'$0','regex':true}]", true,
     "Edit #1: t.txt: the text is the same before and after\nCause: no_change", NULL},
    {"a pattern for lines in CRLFs", "a\r\nb\r\n",
     "'edits':[{'old_text':'a\\\\nb','new_text':'x\\\\ny','regex':true}]", false, DONE("1", "1"),
     "x\r\ny\r\n"},
    {"a pattern that would cut a line ending", "a\nb\r\n",
     "'edits':[{'old_text':'b\\\\s$','new_text':'b','regex':true}]", true,
     "Edit #1: t.txt: the pattern would cut the CRLF that ends line 2 in two; the file's line "
     "endings are mixed: write \\r?\\n or \\R for a line ending, \\h for blanks",
     NULL},
    {"a template that writes a NUL", "a\n",
     "'edits':[{'old_text':'a','new_text':'\\\\x{0}','regex':true}]", true,
     "Edit #1: new_text holds a NUL character\nCause: nul\n"
     "A file with a NUL is no text any more: leave it out",
     NULL},
    {"an empty pattern", "a\n", "'edits':[{'old_text':'','new_text':'b','regex':true}]", true,
     "Edit #1: old_text is empty, but t.txt is not\nCause: empty_search\n"
     "An empty old_text matches only an empty file. To insert text before a line, send ^ as "
     "old_text, and that line as start_line and end_line",
     NULL},
    {"the advice for an empty pattern", "a\nb\nc\n",
     "'edits':[{'old_text':'^','new_text':'x\\n','regex':true,'start_line':2,'end_line':2}]", false,
     DONE("1", "1"), "a\nx\nb\nc\n"},
    {"an empty pattern in an empty file", "",
     "'edits':[{'old_text':'','new_text':'b','regex':true}]", false, DONE("1", "1"), "b"},
    /* lines */
    {"kept to a line", "a\na\na\n",
     "'edits':[{'old_text':'a','new_text':'b','start_line':2,'end_line':2}]", false, DONE("1", "1"),
     "a\nb\na\n"},
    {"from a line on", "a\na\n", "'edits':[{'old_text':'a','new_text':'b','start_line':2}]", false,
     DONE("1", "1"), "a\nb\n"},
    {"up to a line", "a\na\n", "'edits':[{'old_text':'a','new_text':'b','end_line':1}]", false,
     DONE("1", "1"), "b\na\n"},
    {"all in a range", "a\na\na\n",
     "'edits':[{'old_text':'a','new_text':'b','end_line':2,'replace_all':true}]", false,
     DONE("1", "2"), "b\nb\na\n"},
    {"lines are those before the call", "x\na\na\n",
     "'edits':[{'old_text':'x','new_text':'1\\n2'},{'old_text':'a','new_text':'b','start_line':2,"
     "'end_line':2}]",
     false, DONE("2", "2"), "1\n2\nb\na\n"},
    {"not in the range", "a\nb\n", "'edits':[{'old_text':'b','new_text':'c','end_line':1}]", true,
     "Edit #1: old_text not found in file.\nSearching for:\nb\nCause: not_found\n"
     "Only the lines from 1 to 1 were searched; it stands at line 2\n"
     "If that place is meant, send start_line 2 and end_line 2",
     NULL},
    {"in what an edit before brings, but not in the range", "one\ntwo\nthree\nfour\nfive\n",
     "'edits':[{'old_text':'two\\nthree\\nfour','new_text':'merged_line()'},"
     "{'old_text':'merged_line()','new_text':'x()','start_line':4,'end_line':4}]",
     true,
     "Edit #2: old_text not found in file.\nSearching for:\nmerged_line()\nCause: not_found\n"
     "Only the lines from 4 to 4 were searched\n"
     "Most similar text (100% similar, line 2, in text that an edit before this one inserts there):"
     "\n     | merged_line()",
     NULL},
    {"twice, but not in the range", "b\na\nb\n",
     "'edits':[{'old_text':'b','new_text':'c','start_line':2,'end_line':2}]", true,
     "Edit #1: old_text not found in file.\nSearching for:\nb\nCause: not_found\n"
     "Only the lines from 2 to 2 were searched; it stands at line 1 and at line 3",
     NULL},
    {"often, but not in the range", "b\na\nb b\n",
     "'edits':[{'old_text':'b','new_text':'c','start_line':2,'end_line':2}]", true,
     "Edit #1: old_text not found in file.\nSearching for:\nb\nCause: not_found\n"
     "Only the lines from 2 to 2 were searched; it stands at line 1, at line 3 and elsewhere",
     NULL},
    {"in part not in the range", "a\nb\nc\n",
     "'edits':[{'old_text':'b\\nc\\n','new_text':'d','end_line':2}]", true,
     "Edit #1: old_text not found in file.\nSearching for:\nb\nc\n\nCause: not_found\n"
     "Only the lines from 1 to 2 were searched; it stands at lines 2 to 3\n"
     "If that place is meant, send start_line 2 and end_line 3",
     NULL},
    {"no more beside the range, since an edit before has changed it", "one\ntwo\nthree\n",
     "'edits':[{'old_text':'one','new_text':'1'},"
     "{'old_text':'one','new_text':'x','start_line':3}]",
     true,
     "Edit #2: old_text not found in file.\nSearching for:\none\nCause: not_found\n"
     "Only the lines from 3 on were searched",
     NULL},
    {"with other line endings, but not in the range", "x\r\na\r\nb\r\nc\r\n",
     "'edits':[{'old_text':'a\\nb','new_text':'d','end_line':1}]", true,
     "Edit #1: old_text not found in file.\nSearching for:\na\nb\nCause: not_found\n"
     "Only the lines from 1 to 1 were searched; it stands at lines 2 to 3\n"
     "If that place is meant, send start_line 2 and end_line 3",
     NULL},
    {"nowhere", "a\nb\n", "'edits':[{'old_text':'z','new_text':'c','start_line':2}]", true,
     "Edit #1: old_text not found in file.\nSearching for:\nz\nCause: not_found\n"
     "Only the lines from 2 on were searched",
     NULL},
    {"a pattern not in the range", "a\nb\n",
     "'edits':[{'old_text':'[b]','new_text':'c','end_line':1,'regex':true}]", true,
     "Edit #1: old_text not found in file.\nSearching for:\n[b]\nCause: not_found\n"
     "This is a pattern (regex is true), and nothing in its lines matches it\n"
     "Only the lines from 1 to 1 were searched; it matches at line 2\n"
     "If that place is meant, send start_line 2 and end_line 2",
     NULL},
    {"a pattern that matches at several places beside the range", "b\nx\nb\nbb\n",
     "'edits':[{'old_text':'[b]','new_text':'1','regex':true,'start_line':2,'end_line':2}]", true,
     "Edit #1: old_text not found in file.\nSearching for:\n[b]\nCause: not_found\n"
     "This is a pattern (regex is true), and nothing in its lines matches it\n"
     "Only the lines from 2 to 2 were searched; it matches at line 1, at line 3 and elsewhere",
     NULL},
    {"a pattern that matches nothing anywhere", "b\nx\n",
     "'edits':[{'old_text':'[c]','new_text':'1','regex':true,'start_line':2}]", true,
     "Edit #1: old_text not found in file.\nSearching for:\n[c]\nCause: not_found\n"
     "This is a pattern (regex is true), and nothing in its lines matches it\n"
     "Only the lines from 2 on were searched",
     NULL},
    {"a text that an edit before it puts beside the range", "one\ntwo\nthree\n",
     "'edits':[{'old_text':'one\\n','new_text':'hello world foo\\n'},"
     "{'old_text':'hello world foo','new_text':'y','start_line':2,'end_line':2}]",
     true,
     "Edit #2: old_text not found in file.\nSearching for:\nhello world foo\nCause: not_found\n"
     "Only the lines from 2 to 2 were searched; it stands at line 1\n"
     "If that place is meant, send start_line 1 and end_line 1",
     NULL},
    {"a range beyond the end", "a\n", "'edits':[{'old_text':'a','new_text':'b','end_line':2}]",
     true,
     "Edit #1: t.txt: line 2 is beyond the end: the file has 1 line\nCause: range\n"
     "Send as start_line and end_line numbers from 1 to 1",
     NULL},
    {"a range of an empty file", "",
     "'edits':[{'old_text':'','new_text':'b','start_line':1,'end_line':1}]", true,
     "Edit #1: t.txt: line 1 is beyond the end: the file has 0 lines\nCause: range\n"
     "It is empty and has no lines. To fill it, send an empty old_text without start_line and "
     "end_line",
     NULL},
    {"a range turned round", "a\na\n",
     "'edits':[{'old_text':'a','new_text':'b','start_line':2,'end_line':1}]", true,
     "Edit #1: t.txt: lines 2 to 1 are no range\nCause: range\n"
     "end_line may not be below start_line: if the lines between are meant, send start_line 1 and "
     "end_line 2",
     NULL},
    /* the other arguments */
    {"a dry run", "one\n", "'edits':[{'old_text':'one','new_text':'1'}],'dry_run':true", false,
     "Dry run, nothing was written: would apply 1 edit(s) (1 replacement(s)) to 't.txt'\n\n"
     "--- a/t.txt\n+++ b/t.txt\n@@ -1 +1 @@\n-one\n+1\n",
     NULL},
    {"a dry run fails alike", "one\n", "'operation':'delete','anchor':'z','dry_run':true", true,
     "Anchor not found in file.\nSearching for:\nz\nCause: not_found\n"
     "Use read_file to see the exact content, then copy it precisely",
     NULL},
    {"an encoding", "caf\xE9 x\n",
     "'operation':'replace','anchor':'caf\\u00e9','content':'th\\u00e9','encoding':'latin1'", false,
     DONE("1", "1"), "th\xE9 x\n"},
    {"another hash", "a\n",
     "'operation':'append','content':'b\\n','expected_hash':'0123456789abcdef0123456789abcdef'",
     true, NULL, NULL},
};

static void each_form_does_what_the_document_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        EM_AUTO(caller) c;
        char arguments[1000];
        caller_open(&c, TOOLS);
        scratch_write(&c.s, "t.txt", em_slice_of(rows[i].before));
        snprintf(arguments, sizeof arguments, "{'file_path':'t.txt',%s}", rows[i].arguments);
        edit(&c, arguments);
        if (rows[i].text && strcmp(c.answer.text, rows[i].text) != 0)
            fail_msg("%s:\n%s\ninstead of\n%s", rows[i].what, c.answer.text, rows[i].text);
        if (c.answer.is_error != rows[i].is_error)
            fail_msg("%s: %s", rows[i].what, c.answer.text);
        check_file(&c.s, "t.txt", em_slice_of(rows[i].after ? rows[i].after : rows[i].before));
        assert_null(c.answer.object);
        assert_int_equal(c.answer.meta != NULL, !rows[i].is_error);
    }
}

static void a_malformed_template_is_told(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS ",write_file");
    scratch_write(&c.s, "t.txt", EM_LIT("a\n"));
    edit(&c, "{'file_path':'t.txt','edits':[{'old_text':'a','new_text':'${','regex':true}]}");
    check_has(&c, "Edit #1: t.txt: the replacement is malformed at offset 2: ");
    assert_true(c.answer.is_error);
    /* what is wrong with the call is no reason to write the file anew */
    edit(&c, "{'file_path':'t.txt','edits':[{'old_text':'a','new_text':'5$','regex':true}]}");
    check_text(&c, true,
               "Edit #1: t.txt: the replacement is malformed at offset 2: invalid replacement "
               "string. A $ refers to a group: send $0 for the whole match, $$ for a $ that is "
               "text\nCause: pattern\nSend as new_text (between >>> and <<<):\n>>>5$$<<<");
}

static const char *meta_of_file(const caller *c, size_t index, const char *key)
{
    json_t *files = json_object_get(c->answer.meta, "emend/files");
    return json_string_value(json_object_get(json_array_get(files, index), key));
}

static void the_path_is_told_as_it_was_given(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    char path[200], arguments[400], want[400];
    scratch_write(&c.s, "t.txt", EM_LIT("x\n"));
    scratch_path(&c.s, "t.txt", path);
    snprintf(arguments, sizeof arguments, "{'path':'%s','edits':[{'old_text':'x','new_text':'y'}]}",
             path);
    snprintf(want, sizeof want, "Successfully applied 1 edit(s) (1 replacement(s)) to '%s'", path);
    edit(&c, arguments);
    check_text(&c, false, want);
    em_hash hash = em_hash_of(EM_LIT("y\n"));
    assert_string_equal(meta(&c, "emend/hash"), hash.hex);
    assert_non_null(meta(&c, "emend/edit_id"));
    assert_null(meta(&c, "emend/backup_path"));
    snprintf(arguments, sizeof arguments,
             "{'path':'./t.txt','operation':'append','content':'z','expected_hash':'%s',"
             "'backup':true,'session':'mine'}",
             hash.hex);
    edit(&c, arguments);
    check_text(&c, false,
               "Successfully applied 1 edit(s) (1 replacement(s)) to './t.txt'\n"
               "Backup: t.txt.bak");
    assert_string_equal(meta(&c, "emend/backup_path"), "t.txt.bak");
    check_file(&c.s, "t.txt.bak", EM_LIT("y\n"));
    edit(&c, arguments);
    check_has(&c, "./t.txt has changed: its content has the hash ");
    check_has(&c, "\nCause: changed\n");
}

static void a_link_leads_to_a_path_that_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *name, *path; /* as given, and what it leads to; NULL: to itself */
    } cases[] = {
        {"d/t.txt", NULL},      {".//d/./t.txt", NULL},      {"link", "d/t.txt"},
        {"e/t.txt", "d/t.txt"}, {"d/../d/t.txt", "d/t.txt"}, {"t.txt", "d/t.txt"},
    };
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    char path[200], wanted[400], arguments[600];
    scratch_path(&c.s, "d", path);
    assert_int_equal(mkdir(path, 0700), 0);
    scratch_path(&c.s, "link", path);
    assert_int_equal(symlink("d/t.txt", path), 0);
    scratch_path(&c.s, "t.txt", path);
    assert_int_equal(symlink("d/t.txt", path), 0);
    scratch_path(&c.s, "e", path);
    assert_int_equal(symlink("d", path), 0);
    for (size_t i = 0; i < 4 * COUNT_OF(cases); i++) {
        const char *name = cases[i / 4].name, *want = cases[i / 4].path;
        bool several = i % 2, absolute = i % 4 > 1;
        scratch_write(&c.s, "d/t.txt", EM_LIT("x\n"));
        scratch_path(&c.s, name, path);
        snprintf(arguments, sizeof arguments,
                 "{%s'file_path':'%s','operation':'append','content':'z'%s}",
                 several ? "'files':[{" : "", absolute ? path : name, several ? "}]" : "");
        snprintf(wanted, sizeof wanted,
                 "Successfully applied 1 edit(s) (1 replacement(s)) to '%s'%s%s",
                 absolute ? path : name, want ? "\nPath: " : "", want ? want : "");
        edit(&c, arguments);
        check_text(&c, false, wanted);
        const char *told =
            several ? meta_of_file(&c, 0, "path_resolved") : meta(&c, "emend/path_resolved");
        if (want)
            assert_string_equal(told, want);
        else
            assert_null(told);
    }
}

static void warnings_and_the_id_follow_the_sentence(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    c.stateless = true;
    char path[200], other[200], want[600];
    scratch_write(&c.s, "a.txt", EM_LIT("one\n"));
    scratch_path(&c.s, "a.txt", path);
    scratch_path(&c.s, "b.txt", other);
    assert_int_equal(link(path, other), 0);
    edit(&c, "{'file_path':'a.txt','edits':[{'old_text':'one','new_text':'1'}]}");
    check_has(&c, "to 'a.txt'\nWarning: ");
    snprintf(want, sizeof want, "\nEdit: %s", meta(&c, "emend/edit_id"));
    assert_non_null(strstr(c.answer.text, want));
}

static void failures_of_the_file_itself(void **state)
{
    (void)state;
    static const struct {
        const char *path, *want;
    } cases[] = {
        {"none.txt", "File not found: none.txt\nRelative paths start at "},
        {".", "Not a file: .\nIt is a folder: name a file in it"},
        {"../out.txt", "Access denied: ../out.txt is outside the workspace\nFiles must lie in "},
        {".git/config", "Access denied: .git/config"},
        {"bin", "File appears to be binary: bin"},
    };
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "bin", EM_LIT("a\0b"));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char arguments[200];
        snprintf(arguments, sizeof arguments,
                 "{'file_path':'%s','edits':[{'old_text':'a','new_text':'b'}]}", cases[i].path);
        edit(&c, arguments);
        assert_true(c.answer.is_error);
        if (strncmp(c.answer.text, cases[i].want, strlen(cases[i].want)) != 0)
            fail_msg("%s: %s", cases[i].path, c.answer.text);
    }
}

static void long_texts_are_cut(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    char arguments[9200];
    scratch_write(&c.s, "t.txt", EM_LIT("x\n"));
    int length = snprintf(arguments, sizeof arguments,
                          "{'file_path':'t.txt','operation':'delete','anchor':'");
    memset(arguments + length, 'y', 9000);
    memcpy(arguments + length + 9000, "'}", 3);
    edit(&c, arguments);
    check_has(&c, "yyy (the first 8192 of 9000 bytes)\nCause: not_found\n");
}

static void without_a_reading_tool_the_file_is_shown(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, "mcp__editor__Edit");
    scratch_write(&c.s, "t.txt", EM_LIT("x\n"));
    edit(&c, "{'file_path':'t.txt','edits':[{'old_text':'z','new_text':'y'}]}");
    check_has(&c, "Copy the text precisely from what the file holds\n"
                  "The file holds (between >>> and <<<):\n>>>x\n<<<");
    edit(&c, "{'file_path':'t.txt','edits':[{'old_text':'z','new_text':'y','regex':true}]}");
    check_has(&c, "nothing matches it\nThe file holds (between >>> and <<<):\n>>>x\n<<<");
}

/* ---- Requests of no form ------------------------------------------------------------------- */

static void requests_of_no_form_are_told_what_each_lacks(void **state)
{
    (void)state;
#define FITS_NONE "The request fits none of the forms:\n"
#define MISFIT "Error: " FITS_NONE
#define KNOWN_LAST                                                                                 \
    "Known here: file_path, edits, operation, anchor, content, files, dry_run, match, backup, "    \
    "encoding, expected_hash, on_conflict, session"
#define KNOWN KNOWN_LAST "\n"
    static const struct {
        const char *arguments, *want;
    } cases[] = {
        {"{}", MISFIT "- basic: missing file_path, edits\n- extended: missing file_path, "
                      "operation\n- several files: missing files"},
        {"{'file_path':'t.txt'}", MISFIT "- basic: missing edits\n- extended: missing operation\n"
                                         "- several files: missing files; must not have file_path"},
        {"{'file_path':'t.txt','operation':'insert_after','content':'z'}",
         MISFIT "- basic: missing edits; must not have operation, content\n"
                "- extended: missing anchor\n"
                "- several files: missing files; must not have file_path, operation, content"},
        {"{'file_path':'t.txt','operation':'delete'}",
         MISFIT "- basic: missing edits; must not have operation\n- extended: missing anchor\n"
                "- several files: missing files; must not have file_path, operation"},
        {"{'file_path':'t.txt','operation':'prepend'}",
         MISFIT "- basic: missing edits; must not have operation\n- extended: missing content\n"
                "- several files: missing files; must not have file_path, operation"},
        {"{'file_path':'t.txt','operation':'append','content':'z','anchor':'x'}",
         MISFIT "- basic: missing edits; must not have operation, anchor, content\n"
                "- extended: must not have anchor\n- several files: missing files; must not have "
                "file_path, operation, anchor, content"},
        {"{'file_path':'t.txt','edits':[{'old_text':'x','new_text':'y'}],'content':'z'}",
         MISFIT "- basic: must not have content\n- extended: missing operation; must not have "
                "edits\n- several files: missing files; must not have file_path, edits, content"},
        {"{'files':[{'file_path':'t.txt','operation':'delete','anchor':'x'}],"
         "'expected_hash':'0'}",
         MISFIT "- basic: missing file_path, edits; must not have files\n- extended: missing "
                "file_path, operation; must not have files\n"
                "- several files: must not have expected_hash"},
        {"{'files':[{'file_path':'t.txt'}]}",
         "Error: files[0] fits none of the forms:\n- basic: missing edits\n"
         "- extended: missing operation"},
        {"{'file_path':'t.txt','edits':[]}",
         "Error: No edits provided: edits needs at least one element"},
        {"{'files':[]}", "Error: No files provided: files needs at least one element"},
        {"{'file_path':'t.txt','edits':{}}", "Error: edits must be a list, but an object came: {}"},
        {"{'file_path':'t.txt','edits':[{'old_str':'x','new_text':'y'}]}",
         "Error: Unknown argument edits[0].old_str. Did you mean old_text? Known here: old_text, "
         "new_text, replace_all, regex, start_line, end_line\n"
         "Send these arguments: {\"file_path\":\"t.txt\",\"edits\":[{\"old_text\":\"x\","
         "\"new_text\":\"y\"}]}"},
        {"{'file_path':'t.txt','edits':[{'old_text':'x'}]}",
         "Error: Missing argument edits[0].new_text: it must be a string (\"\" deletes what is "
         "found)"},
        {"{'file_path':'t.txt','edits':[{'old_text':'x','new_text':'y','start_line':0}]}",
         "Error: edits[0].start_line must be at least 1, but 0 came"},
        {"{'file_path':'t.txt','operation':'insert','anchor':'x','content':'y'}",
         "Error: operation must be one of \"replace\", \"delete\", \"insert_before\", "
         "\"insert_after\", \"append\", \"prepend\", but this came: \"insert\". Did you mean "
         "\"insert_before\" or \"insert_after\"?"},
        {"{'file_path':'t.txt','operation':'append','content':'y','line':3}",
         "Error: Unknown argument line. " KNOWN_LAST},
        {"{'file_path':'','operation':'append','content':'y'}",
         "Error: file_path must not be empty"},
        {"{'file_path':'t.txt','old_string':'x','new_string':'y'}",
         "Error: Unknown argument old_string. Did you mean edits[].old_text? " KNOWN
         "Unknown argument new_string. Did you mean edits[].new_text?\n" FITS_NONE
         "- basic: missing edits\n- extended: missing operation\n"
         "- several files: missing files; must not have file_path\n"
         "Send these arguments: {\"file_path\":\"t.txt\",\"edits\":[{\"old_text\":\"x\","
         "\"new_text\":\"y\"}]}"},
        {"{'file_path':'t.txt','old_string':'x','new_string':'y','operation':'replace'}",
         "Error: Unknown argument old_string. Did you mean anchor? " KNOWN
         "Unknown argument new_string. Did you mean content?\n"
         "Send these arguments: {\"file_path\":\"t.txt\",\"anchor\":\"x\",\"content\":\"y\","
         "\"operation\":\"replace\"}"},
        {"{'command':'str_replace','file_path':'t.txt','old_str':'x','new_str':'y'}",
         "Error: Unknown argument command. Leave it out: the same is done without it. " KNOWN
         "Unknown argument old_str. Did you mean edits[].old_text?\n"
         "Unknown argument new_str. Did you mean edits[].new_text?\n" FITS_NONE
         "- basic: missing edits\n- extended: missing operation\n"
         "- several files: missing files; must not have file_path\n"
         "Send these arguments: {\"file_path\":\"t.txt\",\"edits\":[{\"old_text\":\"x\","
         "\"new_text\":\"y\"}]}"},
        {"{'file_path':'t.txt','edit':[{'old_text':'x','new_text':'y'}]}",
         "Error: Unknown argument edit. Did you mean edits? " KNOWN_LAST
         "\nSend these arguments: {\"file_path\":\"t.txt\",\"edits\":[{\"old_text\":\"x\","
         "\"new_text\":\"y\"}]}"},
        {"{'file_path':'t.txt','operation':'drop','content':'x'}",
         "Error: operation must be one of \"replace\", \"delete\", \"insert_before\", "
         "\"insert_after\", \"append\", \"prepend\", but this came: \"drop\""},
    };
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "t.txt", EM_LIT("x\n"));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        edit(&c, cases[i].arguments);
        check_text(&c, true, cases[i].want);
        check_file(&c.s, "t.txt", EM_LIT("x\n"));
    }
}

static void too_many_edits_are_refused(void **state)
{
    (void)state;
    EM_AUTO(caller) c = {.tools = TOOLS};
    em_session_options options = {.max_edits = 2};
    scratch_open(&c.s, &options);
    scratch_write(&c.s, "a.txt", EM_LIT("a\n"));
    scratch_write(&c.s, "b.txt", EM_LIT("b\n"));
#define ONE "{'old_text':'a','new_text':'b'}"
    edit(&c, "{'file_path':'a.txt','edits':[" ONE "," ONE "," ONE "]}");
    check_text(&c, true,
               "Too many edits for a.txt: 3 edits; at most 2 are taken in one call\n"
               "Split them over several calls");
    edit(&c, "{'files':[{'file_path':'a.txt','edits':[" ONE "," ONE "]},"
             "{'file_path':'b.txt','operation':'append','content':'x'}]}");
    check_text(&c, true,
               "Too many edits for this call: 3 edits; at most 2 are taken in one call\n"
               "Split them over several calls\n"
               "No file was changed");
    check_file(&c.s, "a.txt", EM_LIT("a\n"));
    check_file(&c.s, "b.txt", EM_LIT("b\n"));
}

static void a_thousand_edits_and_more_are_taken(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.txt", EM_LIT("n0\n"));
    json_t *edits = json_array();
    for (int i = 0; i < 1001; i++) {
        char before[16], after[16];
        snprintf(before, sizeof before, "n%d\n", i);
        snprintf(after, sizeof after, "n%d\n", i + 1);
        json_array_append_new(edits,
                              json_pack("{s:s, s:s}", "old_text", before, "new_text", after));
    }
    call_with(&c, EDIT, json_pack("{s:s, s:o}", "file_path", "a.txt", "edits", edits));
    check_text(&c, false, "Successfully applied 1001 edit(s) (1001 replacement(s)) to 'a.txt'");
    check_file(&c.s, "a.txt", EM_LIT("n1001\n"));
}

/* ---- Several files ------------------------------------------------------------------------- */

#define A_TO_X "{'file_path':'a.txt','edits':[{'old_text':'a','new_text':'x'}]}"
#define B_GROWS "{'file_path':'b.txt','operation':'append','content':'y\\n'}"
#define C_TO_Z "{'file_path':'c.txt','operation':'replace','anchor':'c','content':'z'}"

static void open_with_files(caller *c)
{
    em_session_options options = {.workspace = {.lock_timeout_ms = 30}};
    *c = (caller){.tools = TOOLS, .over_mcp = true};
    scratch_open(&c->s, &options);
    scratch_write(&c->s, "a.txt", EM_LIT("a\n"));
    scratch_write(&c->s, "b.txt", EM_LIT("b\n"));
    scratch_write(&c->s, "c.txt", EM_LIT("c\n"));
}

static void check_files(caller *c, const char *a, const char *b, const char *third)
{
    check_file(&c->s, "a.txt", em_slice_of(a));
    check_file(&c->s, "b.txt", em_slice_of(b));
    check_file(&c->s, "c.txt", em_slice_of(third));
}

static void several_files_are_done_in_one_call(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    open_with_files(&c);
    edit(&c, "{'files':[" A_TO_X "," B_GROWS "],'backup':true}");
    check_text(&c, false,
               "Successfully applied 1 edit(s) (1 replacement(s)) to 'a.txt'\n"
               "Backup: a.txt.bak\n"
               "Successfully applied 1 edit(s) (1 replacement(s)) to 'b.txt'\n"
               "Backup: b.txt.bak");
    check_files(&c, "x\n", "b\ny\n", "c\n");
    check_file(&c.s, "a.txt.bak", EM_LIT("a\n"));
    check_file(&c.s, "b.txt.bak", EM_LIT("b\n"));
    assert_string_equal(meta_of_file(&c, 0, "backup_path"), "a.txt.bak");
    assert_string_equal(meta_of_file(&c, 1, "backup_path"), "b.txt.bak");
    em_hash hash = em_hash_of(EM_LIT("b\ny\n"));
    assert_string_equal(meta_of_file(&c, 1, "file_path"), "b.txt");
    assert_string_equal(meta_of_file(&c, 1, "hash"), hash.hex);
    assert_string_not_equal(meta_of_file(&c, 0, "edit_id"), meta_of_file(&c, 1, "edit_id"));
    check_history(&c.s, 1, 2);
    edit(&c, "{'files':[" C_TO_Z "]}");
    check_history(&c.s, 2, 3);
}

static void a_dry_run_of_several_shows_each_diff(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    open_with_files(&c);
    edit(&c, "{'files':[" A_TO_X "," B_GROWS "],'dry_run':true}");
    check_text(&c, false,
               "Dry run, nothing was written: would apply 1 edit(s) (1 replacement(s)) to 'a.txt'\n"
               "\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+x\n"
               "\nDry run, nothing was written: would apply 1 edit(s) (1 replacement(s)) to 'b.txt'"
               "\n\n--- a/b.txt\n+++ b/b.txt\n@@ -1 +1,2 @@\n b\n+y\n");
    check_files(&c, "a\n", "b\n", "c\n");
    c.over_mcp = false;
    edit(&c, "{'files':[" A_TO_X "],'dry_run':true}");
    check_has(&c, "\n+x\n");
}

static void the_diffs_of_several_have_one_limit(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    open_with_files(&c);
    char line[4001];
    memset(line, 'l', 4000);
    line[4000] = '\0';
    json_t *files = json_array();
    for (const char *name = "abc"; *name; name++) {
        char path[] = {*name, '.', 't', 'x', 't', '\0'};
        json_array_append_new(files, json_pack("{s:s, s:s, s:s}", "file_path", path, "operation",
                                               "append", "content", line));
    }
    call_with(&c, EDIT, json_pack("{s:o, s:b}", "files", files, "dry_run", 1));
    assert_true(strlen(c.answer.text) < 9000);
    check_has(&c, "\n+llll");
    check_has(&c, "to 'c.txt'");
    check_has(&c, "to 'c.txt'\n(The diff is cut; in all 1 line added, 0 removed.)");
}

static void all_files_are_planned_before_the_first_is_written(void **state)
{
    (void)state;
    static const struct {
        const char *second, *want; /* how the answer begins, and behind "..." ends */
    } cases[] = {
        {"{'file_path':'b.txt','edits':[{'old_text':'b','new_text':'c'},{'old_text':'b','new_text':"
         "'c'}]}",
         "files[1] 'b.txt': Edit #2: old_text not found in file.\nSearching for:\nb\n"},
        {"{'file_path':'b.txt','operation':'delete','anchor':'z'}",
         "files[1] 'b.txt': Anchor not found in file.\nSearching for:\nz\n"},
        {"{'file_path':'none.txt','operation':'append','content':'z'}",
         "files[1] 'none.txt': File not found: none.txt\n"},
        {"{'file_path':'b.txt','operation':'append','content':'z','expected_hash':'0'}",
         "files[1] 'b.txt': b.txt has changed: "},
        {"{'file_path':'b.txt','operation':'append','content':'z','encoding':'klingon'}",
         "files[1] 'b.txt': "},
        {"{'file_path':'./a.txt','edits':[{'old_text':'x','new_text':'y'}]}",
         "files[1] './a.txt': it is the same file as files[0]. Send all that is to be done to it "
         "as one element\nNo file was changed"},
        {"{'file_path':'link','operation':'append','content':'y'}",
         "files[1] 'link': it is the same file as files[0]."},
    };
    static const char end[] = "\nNo file was changed";
    EM_AUTO(caller) c;
    open_with_files(&c);
    char path[200];
    scratch_path(&c.s, "link", path);
    assert_int_equal(symlink("a.txt", path), 0);
    for (size_t i = 0; i < 2 * COUNT_OF(cases); i++) {
        char arguments[600];
        snprintf(arguments, sizeof arguments, "{'files':[" A_TO_X ",%s," C_TO_Z "],'dry_run':%s}",
                 cases[i / 2].second, i % 2 ? "true" : "false");
        edit(&c, arguments);
        assert_true(c.answer.is_error);
        if (strncmp(c.answer.text, cases[i / 2].want, strlen(cases[i / 2].want)) != 0)
            fail_msg("%s", c.answer.text);
        assert_string_equal(c.answer.text + strlen(c.answer.text) - strlen(end), end);
        assert_null(c.answer.meta);
        check_files(&c, "a\n", "b\n", "c\n");
    }
}

/* Once the first file is done, somebody writes to the second. */
static void write_to_b(void *context, em_stage stage)
{
    caller *c = context;
    if (stage == EM_STAGE_PLANNED)
        scratch_write(&c->s, "b.txt", EM_LIT("theirs\n"));
}

/* What to send for one of several files still is the last that is said. */
static void a_miss_in_one_of_several_files_is_corrected(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    open_with_files(&c);
    scratch_write(&c.s, "slip.txt", EM_LIT("one  two\n"));
    edit(&c,
         "{'files':[{'path':'a.txt','edits':[{'old_text':'a','new_text':'A'}]},"
         "{'path':'slip.txt','operation':'insert_after','anchor':'one two\\n','content':'x'}]}");
    assert_true(c.answer.is_error);
    check_has(&c, "files[1] 'slip.txt': Anchor not found in file.");
    check_has(&c, "\nNo file was changed\nSend as anchor (between >>> and <<<):\n>>>one  two\n<<<");
    check_lacks(&c, "Send as content");
}

/* One call is enough to put right what can be put right, and who sends it knows what cannot. */
static void what_the_other_edits_got_wrong_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *arguments, *told; /* the end of the answer */
    } cases[] = {
        {"{'file_path':'a.py','edits':[{'old_text':'\\talpha(1)','new_text':'\\talpha(9)'},"
         "{'old_text':'nowhere_here()','new_text':'z'}]}",
         "\nEdit 2 would fail next: its old_text is not found"
         "\nSend as new_text (between >>> and <<<):\n>>>alpha(9)<<<"
         "\nSend as old_text (between >>> and <<<):\n>>>alpha(1)<<<"},
        {"{'file_path':'a.py','edits':[{'old_text':'\\talpha(1)','new_text':'\\talpha(9)'},"
         "{'old_text':'beta(2)','new_text':'b'},"
         "{'old_text':'\\tgamma(3)','new_text':'\\tgamma(9)'}]}",
         "\n  Difference: Missing tab before 'alpha(1)'\n"
         "Send these arguments: {\"file_path\":\"a.py\",\"edits\":[{\"old_text\":\"alpha(1)\","
         "\"new_text\":\"alpha(9)\"},{\"old_text\":\"beta(2)\",\"new_text\":\"b\"},"
         "{\"old_text\":\"gamma(3)\",\"new_text\":\"gamma(9)\"}]}"},
        {"{'files':[{'file_path':'b.py','operation':'append','content':'x'},{'file_path':'a.py',"
         "'edits':[{'old_text':'\\talpha(1)','new_text':'\\talpha(9)'},"
         "{'old_text':'none of it','new_text':'z'},"
         "{'old_text':'\\tgamma(3)','new_text':'\\tgamma(9)'}]}]}",
         "\nEdit 2 would fail next: its old_text is not found"
         "\nNo file was changed"
         "\nSend as new_text (between >>> and <<<):\n>>>alpha(9)<<<"
         "\nSend as old_text (between >>> and <<<):\n>>>alpha(1)<<<"},
        {"{'files':[{'file_path':'b.py','operation':'append','content':'x'},{'file_path':'a.py',"
         "'edits':[{'old_text':'\\talpha(1)','new_text':'\\talpha(9)'},"
         "{'old_text':'\\tgamma(3)','new_text':'\\tgamma(9)'}]}]}",
         "\nNo file was changed"
         "\nSend these arguments: {\"files\":[{\"file_path\":\"b.py\",\"operation\":\"append\","
         "\"content\":\"x\"},{\"file_path\":\"a.py\",\"edits\":[{\"old_text\":\"alpha(1)\","
         "\"new_text\":\"alpha(9)\"},{\"old_text\":\"gamma(3)\",\"new_text\":\"gamma(9)\"}]}]}"},
    };
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "a.py", EM_LIT("alpha(1)\nbeta(2)\ngamma(3)\n"));
    scratch_write(&c.s, "b.py", EM_LIT("b\n"));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        edit(&c, cases[i].arguments);
        assert_true(c.answer.is_error);
        if (!em_slice_ends(em_slice_of(c.answer.text), em_slice_of(cases[i].told)))
            fail_msg("%s", c.answer.text);
    }
}

static void what_fails_while_writing_changes_none(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    open_with_files(&c);
    c.progress = write_to_b;
    edit(&c, "{'files':[" A_TO_X "," B_GROWS "," C_TO_Z "]}");
    static const char start[] = "files[1] 'b.txt': b.txt has changed: ";
    assert_int_equal(strncmp(c.answer.text, start, strlen(start)), 0);
    check_has(&c, "\nCause: changed\n");
    check_has(&c, "\nNo file was changed");
    assert_true(c.answer.is_error);
    check_files(&c, "a\n", "theirs\n", "c\n");
}

static void what_is_no_files_fault_is_told(void **state)
{
    (void)state;
    for (int knows = 1; knows >= 0; knows--) {
        em_sys sys = system_without_commit(knows); /* outlives the caller */
        em_session_options options = {.workspace = {.sys = &sys}};
        EM_AUTO(caller) c = {.tools = TOOLS, .over_mcp = true};
        scratch_open(&c.s, &options);
        scratch_write(&c.s, "a.txt", EM_LIT("a\n"));
        scratch_write(&c.s, "b.txt", EM_LIT("b\n"));
        edit(&c, "{'files':[" A_TO_X "," B_GROWS "]}");
        assert_true(c.answer.is_error);
        if (knows) {
            check_has(&c, "Input/output error: this call: ");
            check_has(&c, "\nNo file was changed");
            check_file(&c.s, "a.txt", EM_LIT("a\n"));
        } else {
            check_has(&c, "What became of this call is not known yet: ");
            check_has(&c, "emend recover");
            assert_null(strstr(c.answer.text, "No file was changed"));
        }
        nobody_knows = false; /* for what comes when the session ends */
    }
}

/* What was found meanwhile is told with the answer to the next call, whatever that call does. */
static void a_late_writer_is_told_of(void **state)
{
    (void)state;
    static const struct {
        const char *arguments, *want;
    } cases[] = {
        {"{'files':[" B_GROWS "]}", "to 'b.txt'\nWarning: "},
        {"{'files':[" B_GROWS "],'dry_run':true}", "to 'b.txt'\nWarning: "},
        {"{'files':[{'file_path':'b.txt','operation':'delete','anchor':'z'}]}",
         "Searching for:\nz\nWarning: "},
        {"{'files':[" B_GROWS "," B_GROWS "]}", "No file was changed\nWarning: "},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_session_options options = {.workspace = {.grace_ms = 1}};
        EM_AUTO(caller) c = {.tools = TOOLS, .over_mcp = true};
        char path[200];
        scratch_open(&c.s, &options);
        scratch_write(&c.s, "a.txt", EM_LIT("a\n"));
        scratch_write(&c.s, "b.txt", EM_LIT("b\n"));
        scratch_path(&c.s, "a.txt", path);
        FILE *late = fopen(path, "ab");
        edit(&c, "{'files':[" A_TO_X "]}");
        assert_int_equal(fputs("late\n", late), 1);
        assert_int_equal(fclose(late), 0);
        usleep(5000);
        edit(&c, cases[i].arguments);
        check_has(&c, cases[i].want);
        assert_null(strstr(strstr(c.answer.text, "Warning:") + 1, "Warning:"));
    }
}

static void what_fails_at_the_first_file_changes_none(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    open_with_files(&c);
    em_session *other;
    em_file held;
    em_error err = EM_ERROR_INIT;
    assert_int_equal(em_session_new(&c.s.options, &other, &err), EM_OK);
    em_workspace *ws = em_session_workspace(other);
    assert_int_equal(em_ws_open_file(ws, "a.txt", EM_TO_CHANGE, 0, 0, &held, &err), EM_OK);
    edit(&c, "{'files':[" A_TO_X "," B_GROWS "]}");
    em_file_close(ws, &held);
    em_session_free(other);
    check_has(&c, "files[0] 'a.txt': Timed out: a.txt");
    check_has(&c, "\nNo file was changed");
    assert_true(c.answer.is_error);
    check_files(&c, "a\n", "b\n", "c\n");
}

/* ---- pick_tools ---------------------------------------------------------------------------- */

static void picked_tools_are_shown_in_full(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    call(&c, "pick_tools", "{'tools':['mcp__editor__Edit','read_file','mcp__editor__Edit']}");
    assert_false(c.answer.is_error);
    assert_null(c.answer.object);
    check_has(&c, "mcp__editor__Edit: Edit Files");
    check_has(&c, "\"oneOf\":[{\"title\":\"basic\"");
    check_has(&c, "insert_before");
    check_has(&c, "\n\nread_file: Read File\nReturns the text");
    assert_int_equal(c.answer.picked_count, 2);
    assert_string_equal(c.answer.picked[0]->name, "mcp__editor__Edit");
    assert_string_equal(c.answer.picked[1]->name, "read_file");
}

static void an_unknown_pick_is_an_error(void **state)
{
    (void)state;
    static const struct {
        const char *arguments, *want;
    } cases[] = {
        {"{'tools':['read_file','mcp__editor__Edt']}",
         "Error: Unknown tool: mcp__editor__Edt. Did you mean mcp__editor__Edit?"},
        {"{'tools':['zzz']}", "Error: Unknown tool: zzz. There are: read_file, mcp__editor__Edit, "
                              "pick_tools"},
        {"{'tools':['read_file\\u0000zz']}",
         "Error: Unknown tool: read_file\\x00zz. Did you mean read_file?"},
        {"{'tools':['write_file']}", "Error: Unknown tool: write_file. There are: read_file, "
                                     "mcp__editor__Edit, pick_tools"},
        {"{'tools':[]}", "Error: No tools provided: tools needs at least one element"},
        {"{}", "Error: No tools provided: missing argument tools: it must be a list"},
        {"{'tools':[7]}", "Error: tools[0] must be a string, but an integer came: 7"},
    };
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        call(&c, "pick_tools", cases[i].arguments);
        check_text(&c, true, cases[i].want);
        assert_int_equal(c.answer.picked_count, 0);
    }
}

static const em_tool *editor_tool(em_arena *arena)
{
    em_toolset set;
    em_error err = EM_ERROR_INIT;
    assert_int_equal(em_toolset_choose(EDIT, false, arena, &set, &err), EM_OK);
    return set.tools[0];
}

static void the_brief_and_the_schemas_are_those_of_the_document(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    const em_tool *tool = editor_tool(&arena);
    assert_string_equal(tool->brief,
                        "Edit files using search-and-replace. Supports replace, insert, delete, "
                        "append, prepend. No regex - exact text matching only.");
    EM_AUTO(em_json_ref) listed = em_tool_input_schema(tool);
    EM_AUTO(em_json_ref) full = em_tool_full_schema(tool);
    const char *key;
    json_t *property;
    assert_null(json_object_get(listed, "oneOf"));
    assert_string_equal(json_string_value(json_object_get(listed, "type")), "object");
    json_object_foreach(json_object_get(listed, "properties"), key, property)
    {
        if (!json_object_get(property, "description"))
            fail_msg("%s is not described", key);
    }
    assert_true(json_equal(json_object_get(listed, "additionalProperties"),
                           json_object_get(full, "additionalProperties")));
    assert_int_equal(json_array_size(json_object_get(full, "oneOf")), 5);
    json_t *files = json_object_get(json_object_get(full, "properties"), "files");
    assert_int_equal(json_array_size(json_object_get(json_object_get(files, "items"), "oneOf")), 4);
}

/* ---- Want of memory ------------------------------------------------------------------------ */

typedef struct starved {
    caller *c;
    const char *tool, *args, *want;
} starved;

static bool try_call(void *context)
{
    starved *s = context;
    long room = mallocs_left;
    mallocs_left = -1;
    EM_AUTO(em_arena) arena = {0};
    em_toolset set;
    em_error err = EM_ERROR_INIT;
    assert_int_equal(em_toolset_choose(TOOLS, false, &arena, &set, &err), EM_OK);
    EM_AUTO(em_json_ref) arguments = json_loads(s->args, 0, NULL);
    assert_non_null(arguments);
    em_call call = {.session = s->c->s.session,
                    .arena = &arena,
                    .tool = em_toolset_find(&set, s->tool),
                    .offered = &set,
                    .over_mcp = true};
    em_answer answer;
    mallocs_left = room;
    em_status status = em_tool_call(&call, arguments, &answer);
    mallocs_left = -1;
    assert_true(status == EM_OK || status == EM_E_NOMEM);
    bool done = status == EM_OK && strstr(answer.text, s->want);
    em_answer_drop(&answer);
    return done;
}

static void out_of_memory_is_no_answer(void **state)
{
    (void)state;
    starved cases[] = {
        {NULL, EDIT,
         "{\"file_path\":\"a.txt\",\"edits\":[{\"old_text\":\"a\",\"new_text\":\"b\"}],"
         "\"dry_run\":true}",
         "Dry run"},
        {NULL, EDIT, "{\"file_path\":\"a.txt\",\"operation\":\"delete\",\"anchor\":\"zz\"}",
         "not found"},
        {NULL, EDIT,
         "{\"files\":[{\"file_path\":\"a.txt\",\"operation\":\"append\",\"content\":\"x\"},"
         "{\"file_path\":\"b.txt\",\"operation\":\"append\",\"content\":\"x\"}],\"dry_run\":true}",
         "to 'b.txt'"},
        {NULL, EDIT,
         "{\"files\":[{\"file_path\":\"a.txt\",\"operation\":\"append\",\"content\":\"x\"},"
         "{\"file_path\":\"./a.txt\",\"operation\":\"append\",\"content\":\"x\"}]}",
         "the same file"},
        {NULL, EDIT, "{}", "fits none"},
        {NULL, "pick_tools", "{\"tools\":[\"read_file\"]}", "Read File"},
        {NULL, "pick_tools", "{\"tools\":[\"zzz\"]}", "There are:"},
    };
    EM_AUTO(caller) c;
    open_with_files(&c);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        cases[i].c = &c;
        assert_true(run_out_of_memory(try_call, &cases[i]) > 1);
    }
    check_files(&c, "a\n", "b\n", "c\n");
}

/* Memory that runs out while files are written: each is as it was, or as it is to be. */
static void out_of_memory_between_two_files(void **state)
{
    (void)state;
    starved writing = {
        NULL, EDIT,
        "{\"files\":[{\"file_path\":\"a.txt\",\"operation\":\"append\",\"content\":\"x\"},"
        "{\"file_path\":\"b.txt\",\"operation\":\"append\",\"content\":\"y\"}]}",
        "Successfully applied 1 edit(s) (1 replacement(s)) to 'b.txt'"};
    EM_AUTO(caller) c;
    open_with_files(&c);
    writing.c = &c;
    assert_true(run_out_of_memory(try_call, &writing) > 20);
    em_slice a = scratch_read(&c.s, "a.txt"), b = scratch_read(&c.s, "b.txt");
    assert_true(a.len >= 3 && a.ptr[0] == 'a' && a.ptr[a.len - 1] == 'x');
    assert_true(b.len >= 3 && b.ptr[0] == 'b' && b.ptr[b.len - 1] == 'y');
}

/* The document gives the whole answer for a text that is not unique: it is the same however often
 * the calls failed before. */
static void a_literal_answer_stays_literal(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, "all");
    scratch_write(&c.s, "a.txt", EM_LIT("q q\n"));
    for (int i = 0; i < 3; i++) {
        call(&c, "mcp__editor__Edit",
             "{'file_path':'a.txt','edits':[{'old_text':'q','new_text':'x'}]}");
        assert_string_equal(
            c.answer.text, "Edit #1: old_text appears 2 times (must be unique).\nSearching for:\nq"
                           "\n\nInclude more context to make it unique, or set replace_all: true.");
    }
    put_too_many(&c, "b.txt");
    call(&c, "mcp__editor__Edit", "{'file_path':'b.txt','edits':[{'old_text':'x','new_text':''}]}");
    assert_string_equal(c.answer.text,
                        "Edit #1: old_text appears 10000001 times (must be unique).\nSearching for:"
                        "\nx\n\nInclude more context to make it unique.");
    call(&c, "mcp__editor__Edit",
         "{'file_path':'a.txt','edits':[{'old_text':'zz','new_text':'x'}]}");
    check_has(&c, "\nThis is failure 4 in a row on this file: use ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_literal_answer_stays_literal),
        cmocka_unit_test(each_form_does_what_the_document_says),
        cmocka_unit_test(a_malformed_template_is_told),
        cmocka_unit_test(the_path_is_told_as_it_was_given),
        cmocka_unit_test(a_link_leads_to_a_path_that_is_told),
        cmocka_unit_test(warnings_and_the_id_follow_the_sentence),
        cmocka_unit_test(failures_of_the_file_itself),
        cmocka_unit_test(long_texts_are_cut),
        cmocka_unit_test(without_a_reading_tool_the_file_is_shown),
        cmocka_unit_test(requests_of_no_form_are_told_what_each_lacks),
        cmocka_unit_test(too_many_edits_are_refused),
        cmocka_unit_test(a_thousand_edits_and_more_are_taken),
        cmocka_unit_test(several_files_are_done_in_one_call),
        cmocka_unit_test(a_dry_run_of_several_shows_each_diff),
        cmocka_unit_test(the_diffs_of_several_have_one_limit),
        cmocka_unit_test(all_files_are_planned_before_the_first_is_written),
        cmocka_unit_test(a_miss_in_one_of_several_files_is_corrected),
        cmocka_unit_test(what_the_other_edits_got_wrong_is_told),
        cmocka_unit_test(what_fails_while_writing_changes_none),
        cmocka_unit_test(what_is_no_files_fault_is_told),
        cmocka_unit_test(a_late_writer_is_told_of),
        cmocka_unit_test(what_fails_at_the_first_file_changes_none),
        cmocka_unit_test(picked_tools_are_shown_in_full),
        cmocka_unit_test(an_unknown_pick_is_an_error),
        cmocka_unit_test(the_brief_and_the_schemas_are_those_of_the_document),
        cmocka_unit_test(out_of_memory_is_no_answer),
        cmocka_unit_test(out_of_memory_between_two_files),
    };
    use_counted_memory();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
