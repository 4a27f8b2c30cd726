#include "diagnosis/rebase.h"

#include "base/strbuf.h"
#include "check_texts.h"
#include "edit/plan.h"

#define LOOP(name, eol)                                                                            \
    "int a(void)" eol "{" eol "    for (x in " name ")" eol "        if (ext)" eol                 \
    "            guess(ext);" eol "        else" eol "            print(guess);" eol
#define SYNC "    iterateSync() {\n        return this.streamSync()[Symbol.iterator]();\n    }\n"
#define ASYNC                                                                                      \
    "        return this.iterateSync();\n    }\n    /**\n     * Default async iteration.\n     "   \
    "*/\n"
#define TWO "first(alpha, beta);\nsecond(gamma);\nthird(delta);\n"
#define LOAD "alpha = load(\"conf\")\n"
#define PARSE "beta = parse(alpha)\n"
#define CHECK "gamma = check(beta)\n"
#define STORE "delta = store(gamma)\n"
#define PUSH(name, body) name " = function (n) {\n" body "}\n\n"
#define THIN "first(alpha, beta);\n\nsecond(gamma);\n\nthird(delta);\n\nfourth(epsilon);\n\n"
#define REST(eol) "    return 1;" eol "}" eol eol "int b(void)" eol "{" eol "}" eol
#define UNHELPED "one();\n}\n\nb(alpha);\ntwo();\n"
#define HELPED(brace) "one();\n" brace "help(gamma);\n\n"
#define OLD(eol) LOOP("args", eol)
#define LOGGED(behind, last)                                                                       \
    "func a() {\n\tif x {\n\t}\n\treturn nil\n}\n\nfunc b() {\n\tlog.Printf(\"b30\", r55)" behind  \
    "\n"                                                                                           \
    "\treturn nil" last "\n}\n"
#define YAML(comment)                                                                              \
    "name0:\n  # why 4\n" comment                                                                  \
    "  list:\n    - item one\nname1:\n  # why 1\n  list:\n    - item two\n"
#define SIZES                                                                                      \
    "#define A_INT 4\n/* hold */\n#define A_LONG 8\n#define A_FLOAT 4\n#define A_LAST 8\n\n"       \
    "#define A_INT 4\n#define A_LONG 4\n#define A_FLOAT 4\n#define A_LAST 4\n"
#define MEMBERS(comma, more) "{\n  \"first\": 1,\n  \"second\": 2" comma "\n" more "}\n"

static const struct {
    const char *what, *text, *find, *insert;
    em_eol dominant;
    const char *wanted; /* the text with the edit made; NULL: it cannot be carried over */
} cases[] = {
    {"a line more behind the last", LOOP("other", "\n") REST("\n"), OLD("\n"),
     OLD("\n") "    m();\n", EM_EOL_LF, LOOP("other", "\n") "    m();\n" REST("\n")},
    {"a line more below a heading that is underlined", "Usage\n-----\nCall it so.\n",
     "Usage\nCall it so.\n", "Usage\nGet a key.\nCall it so.\n", EM_EOL_LF,
     "Usage\n-----\nGet a key.\nCall it so.\n"},
    /* two lines change places: which of them moves? */
    {"beside one that came", "first(1);\nsame();\ncame(2);\nthird(3);\nsame();\nlast(4);\n",
     "first(1);\nsame();\nthird(3);\nsame();\nlast(4);\n",
     "first(1);\nsame();\nsame();\nthird(3);\nlast(4);\n", EM_EOL_LF, NULL},
    {"which both have", "first(1);\nsecond(2);\ncame(2);\nthird(3);\nother(5);\nlast(4);\n",
     "first(1);\nsecond(2);\nthird(3);\nother(5);\nlast(4);\n",
     "first(1);\nsecond(2);\nother(5);\nthird(3);\nlast(4);\n", EM_EOL_LF, NULL},
    {"where it came elsewhere",
     "first(1);\nfresh(6);\nsecond(2);\nthird(3);\nother(5);\nlast(4);\n",
     "first(1);\nsecond(2);\nthird(3);\nother(5);\nlast(4);\n",
     "first(1);\nsecond(2);\nother(5);\nthird(3);\nlast(4);\n", EM_EOL_LF,
     "first(1);\nfresh(6);\nsecond(2);\nother(5);\nthird(3);\nlast(4);\n"},
    {"where the line beside them changed",
     "first(1);\nchanged(2);\nthird(3);\nother(5);\nlast(4);\n",
     "first(1);\nsecond(2);\nthird(3);\nother(5);\nlast(4);\n",
     "first(1);\nsecond(2);\nother(5);\nthird(3);\nlast(4);\n", EM_EOL_LF,
     "first(1);\nchanged(2);\nother(5);\nthird(3);\nlast(4);\n"},
    {"one moves below two", "first(1);\ncame(2);\nthird(3);\nother(5);\nmore(6);\nlast(4);\n",
     "first(1);\nthird(3);\nother(5);\nmore(6);\nlast(4);\n",
     "first(1);\nother(5);\nmore(6);\nthird(3);\nlast(4);\n", EM_EOL_LF,
     "first(1);\ncame(2);\nother(5);\nmore(6);\nthird(3);\nlast(4);\n"},
    {"nothing but blanks is looked for", LOOP("other", "\n"), "  \n", "    m();\n", EM_EOL_LF,
     NULL},
    /* the file's line endings stay, whatever those of the search text are */
    {"CRLFs in a file of LFs", LOOP("other", "\n") REST("\n"), OLD("\r\n"),
     OLD("\r\n") "    m();\r\n", EM_EOL_LF, LOOP("other", "\n") "    m();\n" REST("\n")},
    {"CRs in a file of CRLFs", LOOP("other", "\r\n") REST("\r\n"), OLD("\r"),
     OLD("\r") "    m();\r", EM_EOL_CRLF, LOOP("other", "\r\n") "    m();\r\n" REST("\r\n")},
    {"LFs in a file of CRs", LOOP("other", "\r") REST("\r"), OLD("\n"), OLD("\n") "    m();\n",
     EM_EOL_CR, LOOP("other", "\r") "    m();\r" REST("\r")},
    {"CRLFs that the replacement alone has", LOOP("other", "\n") REST("\n"), OLD("\n"),
     OLD("\n") "    m();\r\n    n();\r\n", EM_EOL_LF,
     LOOP("other", "\n") "    m();\r\n    n();\n" REST("\n")},
    /* a line that goes, goes with its ending, and alone */
    {"a line less", LOOP("other", "\n") REST("\n"), OLD("\n") REST("\n"),
     OLD("\n") "}\n\nint b(void)\n{\n}\n", EM_EOL_LF,
     LOOP("other", "\n") "}\n\nint b(void)\n{\n}\n"},
    {"a line less of a file of CRLFs", LOOP("other", "\r\n") REST("\r\n"),
     OLD("\n") "    return 1;\n}\n", OLD("\n") "}\n", EM_EOL_CRLF,
     LOOP("other", "\r\n") "}\r\n\r\nint b(void)\r\n{\r\n}\r\n"},
    {"a line less of a file of CRs", LOOP("other", "\r") REST("\r"), OLD("\n") "    return 1;\n}\n",
     OLD("\n") "}\n", EM_EOL_CR, LOOP("other", "\r") "}\r\rint b(void)\r{\r}\r"},
    {"a line less at the end of a file without a line ending", LOOP("other", "\r") "    return 1;",
     OLD("\n") "    return 1;\n", OLD("\n"), EM_EOL_CR, LOOP("other", "\r")},
    /* one line has changed around both, and of the first only a word or two */
    {"a line of which two words are others, and another line",
     "get(self):\n    \"\"\"Return the value of the cache for this key now\n    a()\nget(self):\n  "
     " "
     " # None\n",
     "get(self):\n    \"\"\"Returns the value of the Cache for this key now\n",
     "fetch(self):\n    \"\"\"Returns the value of the Cache for this key now\n", EM_EOL_LF, NULL},
    {"their neighbour became another line", "- item one\n- item two\n\nThe text is here.\n",
     "* item two\n\nThe text is here.\n", "* item two\n* item three\n\nThe text is here.\n",
     EM_EOL_LF, NULL},
    /* where a line came between the two neighbours of new ones, these stay with their own */
    {"a comment stands with the line below", HELPED("}\n") "b(alpha);\ntwo();\n", UNHELPED,
     "one();\n}\n\n/* b is */\nb(alpha);\ntwo();\n", EM_EOL_LF,
     HELPED("}\n") "/* b is */\nb(alpha);\ntwo();\n"},
    {"a line stands with the one above", HELPED("}\n") "b(alpha);\ntwo();\n", UNHELPED,
     "one();\n}\n/* that */\n\nb(alpha);\ntwo();\n", EM_EOL_LF,
     HELPED("}\n/* that */\n") "b(alpha);\ntwo();\n"},
    {"a line stands with neither, and the empty line is below", HELPED("}\n") "b(alpha);\ntwo();\n",
     UNHELPED, "one();\n}\n\nint that;\n\nb(alpha);\ntwo();\n", EM_EOL_LF,
     HELPED("}\n") "int that;\n\nb(alpha);\ntwo();\n"},
    {"a line stands with neither, and the empty line is above",
     "one();\n}\n\nhelp(gamma);\nb(alpha);\ntwo();\n", UNHELPED,
     "one();\n}\n\nint that;\n\nb(alpha);\ntwo();\n", EM_EOL_LF,
     "one();\n}\n\nint that;\n\nhelp(gamma);\nb(alpha);\ntwo();\n"},
    {"the line below is another one", HELPED("}\n") "bb(alpha);\ntwo();\nthree();\nfour();\n",
     UNHELPED "three();\nfour();\n",
     "one();\n}\n\n/* b is */\nb(alpha);\ntwo();\nthree();\nfour();\n", EM_EOL_LF, NULL},
    /* empty lines that go with lines are not left */
    {"an empty line goes, with the line below", "first(1);\nold(2);\n\nthird(3);\nfourth(4);\n",
     "first(1);\nsecond(2);\n\nthird(3);\nfourth(4);\n", "first(1);\nsecond(2);\nfourth(4);\n",
     EM_EOL_LF, "first(1);\nold(2);\nfourth(4);\n"},
    {"empty lines on both sides go", "old(1);\nsecond(2);\n\nthird(3);\n\nfourth(4);\n",
     "first(1);\nsecond(2);\n\nthird(3);\n\nfourth(4);\n", "first(1);\nsecond(2);\nfourth(4);\n",
     EM_EOL_LF, "old(1);\nsecond(2);\nfourth(4);\n"},
    {"one of two stays", "old(1);\nsecond(2);\n\nthird(3);\n\nfourth(4);\n",
     "first(1);\nsecond(2);\n\nthird(3);\n\nfourth(4);\n", "first(1);\nsecond(2);\n\nfourth(4);\n",
     EM_EOL_LF, "old(1);\nsecond(2);\n\nfourth(4);\n"},
    {"one goes above a line that becomes another",
     "old(1);\r\nsecond(2);\r\n\r\n  third(3);\r\nfourth(4);\r\n",
     "first(1);\nsecond(2);\n\n  third(3);\nfourth(4);\n",
     "first(1);\nsecond(2);\n  other(3);\nfourth(4);\n", EM_EOL_CRLF,
     "old(1);\r\nsecond(2);\r\n  other(3);\r\nfourth(4);\r\n"},
    {"the file has more of them", "old(1);\nsecond(2);\n\n\nthird(3);\nfourth(4);\n",
     "first(1);\nsecond(2);\n\nthird(3);\nfourth(4);\n", "first(1);\nsecond(2);\nfourth(4);\n",
     EM_EOL_LF, NULL},
    {"one goes below the first line", "zero(0);\n\nfirst(1);\n\nold(2);\nthird(3);\n",
     "first(1);\n\nsecond(2);\nthird(3);\n", "second(2);\nthird(3);\n", EM_EOL_LF,
     "zero(0);\n\nold(2);\nthird(3);\n"},
    {"one below the first line stays", "zero(0);\nfirst(1);\n\nold(2);\nthird(3);\n",
     "first(1);\n\nsecond(2);\nthird(3);\n", "\nsecond(2);\nthird(3);\n", EM_EOL_LF,
     "zero(0);\n\nold(2);\nthird(3);\n"},
    {"the file has more of them below the first line",
     "zero(0);\n\nfirst(1);\n\n\nold(2);\nthird(3);\n", "first(1);\n\nsecond(2);\nthird(3);\n",
     "second(2);\nthird(3);\n", EM_EOL_LF, NULL},
    {"one goes above the last line", "first(1);\nold(2);\n\nthird(3);\n\nfourth(4);\n",
     "first(1);\nsecond(2);\n\nthird(3);\n", "first(1);\nsecond(2);\n", EM_EOL_LF,
     "first(1);\nold(2);\n\nfourth(4);\n"},
    {"one above the last line stays", "first(1);\nold(2);\n\nthird(3);\nfourth(4);\n",
     "first(1);\nsecond(2);\n\nthird(3);\n", "first(1);\nsecond(2);\n\n", EM_EOL_LF,
     "first(1);\nold(2);\n\nfourth(4);\n"},
    /* those between two changes go once, with the one that was laid with the lines around them */
    {"an empty line goes with a line below a new one",
     "old(1);\nsecond(2);\n\nthird(3);\nfourth(4);\n",
     "first(1);\nsecond(2);\n\nthird(3);\nfourth(4);\n",
     "first(1);\nnew(5);\nsecond(2);\nfourth(4);\n", EM_EOL_LF,
     "old(1);\nnew(5);\nsecond(2);\nfourth(4);\n"},
    {"one goes with the last line below a new one",
     "old(1);\nzero(0);\nsecond(2);\n\nthird(3);\nfourth(4);\n",
     "first(1);\nzero(0);\nsecond(2);\n\nthird(3);\n", "first(1);\nzero(0);\nnew(5);\nsecond(2);\n",
     EM_EOL_LF, "old(1);\nzero(0);\nnew(5);\nsecond(2);\nfourth(4);\n"},
    {"one of two goes with a line below a new one",
     "old(1);\nzero(0);\nsecond(2);\n\nthird(3);\n\nfourth(4);\n",
     "first(1);\nzero(0);\nsecond(2);\n\nthird(3);\n\nfourth(4);\n",
     "first(1);\nzero(0);\nnew(5);\nsecond(2);\n\nfourth(4);\n", EM_EOL_LF,
     "old(1);\nzero(0);\nnew(5);\nsecond(2);\n\nfourth(4);\n"},
    /* empty lines that come with new ones are not lost */
    {"an empty line comes above a line that becomes another",
     "one(alpha);\ntwo(beta);\nthree(gamma);\nfour(other);\n",
     "one(alpha);\ntwo(beta);\nthree(gamma);\nfour(mine);\n",
     "one(alpha);\n\ntwo(zeta);\nthree(gamma);\nfour(mine);\n", EM_EOL_LF,
     "one(alpha);\n\ntwo(zeta);\nthree(gamma);\nfour(other);\n"},
    {"empty lines come around one", "one(alpha);\ntwo(beta);\nthree(gamma);\nfour(other);\n",
     "one(alpha);\ntwo(beta);\nthree(gamma);\nfour(mine);\n",
     "one(alpha);\n\ntwo(zeta);\n\nthree(gamma);\nfour(mine);\n", EM_EOL_LF,
     "one(alpha);\n\ntwo(zeta);\n\nthree(gamma);\nfour(other);\n"},
    {"a line becomes an empty one", "one(alpha);\ntwo(beta);\nthree(gamma);\nfour(other);\n",
     "one(alpha);\ntwo(beta);\nthree(gamma);\nfour(mine);\n",
     "one(alpha);\n\nthree(gamma);\nfour(mine);\n", EM_EOL_LF,
     "one(alpha);\n\nthree(gamma);\nfour(other);\n"},
    {"an empty line comes above a line that is another one in the file",
     "one(alpha);\ntwo(beta);\nthree(gamma);\nfour(other);\n",
     "one(alpha);\ntwo(beta);\nthree(gamma);\nfour(mine);\n",
     "one(alpha);\ntwo(beta);\nthree(zeta);\n\nfour(mine);\n", EM_EOL_LF, NULL},
    {"an empty line comes above", "run(f) {\n    int h(void);\n    if (a) {\n",
     "run(f) {\n    if (a) {\n", "run(f) {\n\n    new(56);\n    if (a) {\n", EM_EOL_LF, NULL},
    {"an empty line comes below", "run(f) {\n    int h(void);\n    if (a) {\n",
     "run(f) {\n    if (a) {\n", "run(f) {\n    new(56);\n\n    if (a) {\n", EM_EOL_LF, NULL},
    {"empty lines come around", "run(f) {\n    int h(void);\n    if (a) {\n",
     "run(f) {\n    if (a) {\n", "run(f) {\n\n    new(56);\n\n    if (a) {\n", EM_EOL_LF, NULL},
    {"an empty line comes that is there", "run(f) {\n    int h(void);\n\n    if (a) {\n",
     "run(f) {\n    if (a) {\n", "run(f) {\n\n    new(56);\n    if (a) {\n", EM_EOL_LF,
     "run(f) {\n    int h(void);\n\n    new(56);\n    if (a) {\n"},
    /* a search text that leaves lines out does not tell what came */
    {"an omission", "f<t>(x);\n#endif\n#endif\n\nEND\n}\n\n#endif\n",
     "f<t>(x);\n#endif\n...\n\n#endif\n", "f<t>(x);\n#endif\n...\n} // std\n\n#endif\n", EM_EOL_LF,
     NULL},
    {"an omission apart from the change", "first(alpha, beta);\nsecond(gamma);\n" TWO "last(1);\n",
     "...\n" TWO "last(1);\n", "...\n" TWO "zz();\nlast(1);\n", EM_EOL_LF,
     "first(alpha, beta);\nsecond(gamma);\n" TWO "zz();\nlast(1);\n"},
    {"an omission above a line that becomes another", "one(alpha);\ntwo(beta);\nthree(gamma);\n",
     "one(alpha);\n...\nthree(gamma);\n", "one(alpha);\n...\nthree(delta);\n", EM_EOL_LF,
     "one(alpha);\ntwo(beta);\nthree(delta);\n"},
    {"an omission above a line that goes", "one(alpha);\ntwo(beta);\nthree(gamma);\nfour(1);\n",
     "one(alpha);\n...\nthree(gamma);\nfour(1);\n", "one(alpha);\n...\nfour(1);\n", EM_EOL_LF,
     NULL},
    {"an omission that goes", "one(alpha);\ntwo(beta);\nthree(gamma);\n",
     "one(alpha);\n...\nthree(gamma);\n", "one(alpha);\nnew(1);\nthree(gamma);\n", EM_EOL_LF, NULL},
    {"an omission above a line that was made", "one(alpha);\nfresh(1);\nthree(gamma);\n",
     "one(alpha);\n...\nthree(gamma);\n", "one(alpha);\n...\nfresh(1);\n", EM_EOL_LF, NULL},
    {"an ellipsis of the file", "def f(alpha):\n    ...\n\ndef g(beta, gamma):\n    ...\nend(1)\n",
     "def f(alpha):\n    ...\ndef g(beta, delta):\n",
     "def f(alpha):\n    ...\n    x()\ndef g(beta, delta):\n", EM_EOL_LF,
     "def f(alpha):\n    ...\n    x()\n\ndef g(beta, gamma):\n    ...\nend(1)\n"},
    /* the replacement alone is as deep as the file: its braces are others than those as deep */
    {"braces at another depth",
     "for (;;) {\n  if (ok) {\n    found = 1;\n  }\n}\nfresh(77);\nif (!found) {\n",
     "      found = 1;\n    }\n  }\n  if (!found) {\n", "    found = 2;\n  }\n}\nif (!found) {\n",
     EM_EOL_LF, NULL},
    {"all at another depth",
     "for (;;) {\n  if (ok) {\n    found = 1;\n  }\n}\nfresh(77);\nif (!found) {\n",
     "      found = 1;\n    }\n  }\n  if (!found) {\n",
     "      found = 2;\n    }\n  }\n  if (!found) {\n", EM_EOL_LF,
     "for (;;) {\n  if (ok) {\n    found = 2;\n  }\n}\nfresh(77);\nif (!found) {\n"},
    /* the edit was made, and what stood between its lines before tells no longer where */
    {"made further up", "alpha(0)\nsierra(golf, 1)\n-- one\n-- two\necho(2)\nquebec(5)\n",
     "alpha(0)\necho(2)\nquebec(5)\n", "alpha(0)\nsierra(golf, 1)\necho(2)\nquebec(5)\n", EM_EOL_LF,
     NULL},
    {"made further down", "quebec(5)\necho(2)\n-- one\n-- two\nsierra(golf, 1)\nalpha(0)\n",
     "quebec(5)\necho(2)\nalpha(0)\n", "quebec(5)\necho(2)\nsierra(golf, 1)\nalpha(0)\n", EM_EOL_LF,
     NULL},
    {"made where the rest is more like it",
     "when(a)\nfirst(beta, 1)\nnew(1)\nlast(2)\n\nwhen(a)\nfirst(1)\nold(1)\nlast(2)\n",
     "when(a)\nfirst(gamma, 1)\nold(1)\nlast(2)\n", "when(a)\nfirst(gamma, 1)\nnew(1)\nlast(2)\n",
     EM_EOL_LF, NULL},
    {"made where the rest is less like it",
     "when(a)\nfirst(1)\nnew(1)\nlast(2)\n\nwhen(a)\nfirst(beta, 1)\nold(1)\nlast(2)\n",
     "when(a)\nfirst(gamma, 1)\nold(1)\nlast(2)\n", "when(a)\nfirst(gamma, 1)\nnew(1)\nlast(2)\n",
     EM_EOL_LF, "when(a)\nfirst(1)\nnew(1)\nlast(2)\n\nwhen(a)\nfirst(beta, 1)\nnew(1)\nlast(2)\n"},
    {"not made", "alpha(0)\n-- one\n-- two\necho(2)\nquebec(5)\n", "alpha(0)\necho(2)\nquebec(5)\n",
     "alpha(0)\nsierra(golf, 1)\necho(2)\nquebec(5)\n", EM_EOL_LF,
     "alpha(0)\nsierra(golf, 1)\n-- one\n-- two\necho(2)\nquebec(5)\n"},
    /* what is above a change is above it in the file, too, and next to it */
    {"a brace that is the neighbour", "     * Over the results.\n" SYNC ASYNC,
     "     * Over the results.\n     */\n" SYNC,
     "     * Over the results.\n     */\n" SYNC "    zz();\n", EM_EOL_LF,
     "     * Over the results.\n" SYNC "    zz();\n" ASYNC},
    {"a brace that is another's", TWO "};\nint other(void)\n{\n    more(epsilon);\n}\n", TWO "}\n",
     TWO "}\nzz();\n", EM_EOL_LF, NULL},
    {"a brace above", "}\n" TWO "};\n", TWO "}\n", TWO "}\nzz();\n", EM_EOL_LF, NULL},
    {"a brace below", "{\n" TWO "{\nrest(1);\n", "{\nrest(2);\n", "zz();\n{\nrest(2);\n", EM_EOL_LF,
     "{\n" TWO "zz();\n{\nrest(1);\n"},
    /* what came in between */
    {"a line that came", "first(alpha, beta);\nsecond(gamma);\nnew(1);\nthird(delta);\n", TWO,
     TWO "zz();\n", EM_EOL_LF,
     "first(alpha, beta);\nsecond(gamma);\nnew(1);\nthird(delta);\nzz();\n"},
    {"two lines that came",
     "first(alpha, beta);\nnew(1);\nsecond(gamma);\nnewer(2);\nthird(delta);\n", TWO, TWO "zz();\n",
     EM_EOL_LF, "first(alpha, beta);\nnew(1);\nsecond(gamma);\nnewer(2);\nthird(delta);\nzz();\n"},
    {"three lines that came",
     "first(alpha, beta);\nnew(1);\nsecond(gamma);\nnewer(2);\nnewest(3);\nthird(delta);\n", TWO,
     TWO "zz();\n", EM_EOL_LF, NULL},
    {"a place with less in between",
     TWO "other();\nfirst(alpha, beta);\nsecond(gamma);\nnew();\nthird(delta);\n", "zero(0);\n" TWO,
     "zero(0);\n" TWO "zz();\n", EM_EOL_LF,
     TWO "zz();\nother();\nfirst(alpha, beta);\nsecond(gamma);\nnew();\nthird(delta);\n"},
    {"a line that went", "first(alpha, beta);\nthird(delta);\n", TWO, TWO "zz();\n", EM_EOL_LF,
     "first(alpha, beta);\nthird(delta);\nzz();\n"},
    {"two lines that went", "third(delta);\n", TWO, TWO "zz();\n", EM_EOL_LF, NULL},
    {"empty lines throughout", THIN THIN THIN THIN "x(old);\n}\n",
     THIN THIN THIN THIN "x(new);\n}\n", THIN THIN THIN THIN "x(new);\n}\nzz();\n", EM_EOL_LF,
     THIN THIN THIN THIN "x(old);\n}\nzz();\n"},
    {"the end of what was there long before", "x();\n", TWO TWO TWO TWO TWO "x();\n",
     TWO TWO TWO TWO TWO "y();\n", EM_EOL_LF, NULL},
    /* what the replacement repeats from the file does not come twice */
    {"a line that the search text lacks", LOAD PARSE CHECK STORE, LOAD CHECK STORE,
     LOAD PARSE "gamma = check(beta, 1)\n" STORE, EM_EOL_LF,
     LOAD PARSE "gamma = check(beta, 1)\n" STORE},
    {"a line between empty ones that it lacks", LOAD "\n" PARSE "\n" CHECK STORE,
     LOAD "\n" CHECK STORE,
     LOAD "\n" PARSE "\n"
          "gamma = check(beta, 1)\n" STORE,
     EM_EOL_LF,
     LOAD "\n" PARSE "\n"
          "gamma = check(beta, 1)\n" STORE},
    {"a brace that it lacks", "if (a) {\n    foo();\n}\nnext();\n",
     "if (a) {\n    foo();\nnext();\n", "if (a) {\n    foo(1);\n}\nnext();\n", EM_EOL_LF,
     "if (a) {\n    foo(1);\n}\nnext();\n"},
    {"a line that it lacks, above an empty one and a new one", LOAD PARSE CHECK STORE,
     LOAD CHECK STORE, LOAD PARSE "\nnew(1)\n" CHECK STORE, EM_EOL_LF,
     LOAD PARSE "\nnew(1)\n" CHECK STORE},
    {"a line that it lacks, above a new one and an empty one that is there",
     LOAD PARSE "\n" CHECK STORE, LOAD "\n" CHECK STORE, LOAD PARSE "new(1)\n\n" CHECK STORE,
     EM_EOL_LF, LOAD PARSE "new(1)\n\n" CHECK STORE},
    {"a line that it lacks, below a new one and an empty one", LOAD PARSE CHECK STORE,
     LOAD CHECK STORE, LOAD "new(1)\n\n" PARSE CHECK STORE, EM_EOL_LF,
     LOAD "new(1)\n\n" PARSE CHECK STORE},
    {"a line that it lacks, below an empty one that is there and a new one",
     LOAD "\n" PARSE CHECK STORE, LOAD "\n" CHECK STORE, LOAD "\nnew(1)\n" PARSE CHECK STORE,
     EM_EOL_LF, LOAD "\nnew(1)\n" PARSE CHECK STORE},
    {"lines that it lacks, around an empty one and a new one", LOAD PARSE CHECK STORE, LOAD STORE,
     LOAD PARSE "\nnew(1)\n" CHECK STORE, EM_EOL_LF, LOAD PARSE "\nnew(1)\n" CHECK STORE},
    {"a brace that both lack, above a new block", "if (a) {\n    foo(1);\n}\nnext(2);\nlast(3);\n",
     "    foo(1);\nnext(2);\nlast(3);\n", "    foo(1);\nif (b) {\n    next(2);\n}\nlast(3);\n",
     EM_EOL_LF, "if (a) {\n    foo(1);\n}\nif (b) {\n    next(2);\n}\nlast(3);\n"},
    {"a block that it lacks, above a new one", TWO "if (a) {\n    foo(1);\n}\nnext(2);\n" TWO,
     TWO "next(2);\n" TWO, TWO "if (a) {\n    foo(1);\n}\nif (b) {\n    next(2);\n}\n" TWO,
     EM_EOL_LF, TWO "if (a) {\n    foo(1);\n}\nif (b) {\n    next(2);\n}\n" TWO},
    {"a brace that it lacks, where another one is below",
     "a {\n  b {\n    foo(1);\n  }\n}\nnext(2);\n", "    foo(1);\n}\nnext(2);\n",
     "    foo(1);\n    new(1);\n  }\n}\nnext(2);\n", EM_EOL_LF, NULL},
    {"quotes that it lacks, below a new line", "a = \"\"\"\n  one(1)\n  \"\"\"\nb = 2\n",
     "  one(1)\nb = 2\n", "  one(1)\n  two(2)\n  \"\"\"\nb = 2\n", EM_EOL_LF,
     "a = \"\"\"\n  one(1)\n  two(2)\n  \"\"\"\nb = 2\n"},
    {"a brace that it lacks, below a new line", "if (a) {\n    foo(1);\n}\nnext(2);\n",
     "    foo(1);\nnext(2);\n", "    foo(1);\n    new(1);\n}\nnext(2);\n", EM_EOL_LF,
     "if (a) {\n    foo(1);\n    new(1);\n}\nnext(2);\n"},
    {"a line like the one before it", "on(alpha);\non(beta);\non(gamma);\n",
     "on(alpha);\non(gamma);\n", "on(alpha);\non(beta);\non(gamma, 1);\n", EM_EOL_LF,
     "on(alpha);\non(beta);\non(gamma, 1);\n"},
    {"a line that it lacks and the replacement has otherwise", LOAD PARSE CHECK STORE,
     LOAD CHECK STORE, LOAD "beta = parse(alpha, 1)\n" CHECK STORE, EM_EOL_LF, NULL},
    {"one of two lines that it lacks", LOAD PARSE "more(1);\n" CHECK STORE, LOAD CHECK STORE,
     LOAD PARSE "gamma = check(beta, 1)\n" STORE, EM_EOL_LF, NULL},
    {"a line that it lacks at another depth", LOAD PARSE CHECK STORE, LOAD CHECK STORE,
     LOAD "    " PARSE "gamma = check(beta, 1)\n" STORE, EM_EOL_LF, NULL},
    {"a line that came elsewhere", LOAD PARSE CHECK STORE, LOAD CHECK STORE, LOAD CHECK STORE PARSE,
     EM_EOL_LF, NULL},
    {"a line behind the search text", LOAD "new(1);\n" CHECK STORE, LOAD CHECK,
     LOAD "gamma = check(beta, 1)\n" STORE, EM_EOL_LF, NULL},
    {"a line before the search text", LOAD PARSE "new(1);\n" CHECK, PARSE CHECK,
     LOAD "beta = parse(alpha, 1)\n" CHECK, EM_EOL_LF, NULL},
    /* and what it keeps stays */
    {"a line too many in the search text", LOAD PARSE CHECK STORE, PARSE CHECK CHECK STORE,
     PARSE CHECK "delta = store(gamma, 1)\n", EM_EOL_LF,
     LOAD PARSE CHECK "delta = store(gamma, 1)\n"},
    {"a line too many behind the change", LOAD PARSE CHECK STORE, PARSE CHECK CHECK STORE,
     "beta = parse(alpha, 1)\n" CHECK STORE, EM_EOL_LF,
     LOAD "beta = parse(alpha, 1)\n" CHECK STORE},
    {"a line too many elsewhere", LOAD CHECK PARSE STORE, LOAD PARSE CHECK PARSE STORE,
     LOAD PARSE CHECK "new(1);\n" STORE, EM_EOL_LF, NULL},
    {"a brace too many", "f {\n    a(1);\n}\nnext(beta);\n}\n", "f {\n    a(1);\n}\n}\n",
     "f {\n    a(2);\n}\n", EM_EOL_LF, NULL},
    {"a brace that stands, and one further out that went",
     "head {\n  all {\n    one(alpha);\n  }\n}\n// stop\nnext(beta);\n",
     "  all {\n    one(alpha);\n  }\n}\n}\n", "  one(alpha);\n}\n}\n", EM_EOL_LF, NULL},
    {"a line between braces, of which alone there are some",
     "}\n};\nother(1);\n\n\t}\n}\n};\n\n/**\n * first of two\n", "\t}\n}\n};\n\n/**\n * none\n",
     "\t}\n}\n};\nnew(alpha);\n\n/**\n * none\n", EM_EOL_LF, NULL},
    /* a sibling of the lines that are meant */
    {"the lines of another function",
     PUSH("push", "  if (a) {\n    b()\n  }\n\n  var head = this.head\n  n.next = head\n")
         PUSH("reverse", "  var head = this.first\n  var tail = this.tail\n"),
     "}\n\nreverse = function (n) {\n  var head = this.head\n",
     "}\n\nreverse = function (n) {\n  var head = this.zeta\n", EM_EOL_LF, NULL},
    {"a line that other functions have, too",
     PUSH("push", "  one(head)\n  two(head)\n") PUSH("pop", "  var head = this.head\n"),
     "push = function (n) {\n  var head = this.head\n  one(head)\n  two(head)\n",
     "push = function (n) {\n  var head = this.head\n  one(head)\n  two(tail)\n", EM_EOL_LF,
     PUSH("push", "  one(head)\n  two(tail)\n") PUSH("pop", "  var head = this.head\n")},
    /* comments and blanks aside a line of the search text stands in another place, and only there
     */
    {"a comment behind the line that tells", LOGGED("  // encode", "  // schedule"),
     "\tlog.Printf(\"b30\", r55)\n\treturn nil\n",
     "\tlog.Printf(\"b30\", r55)\n\tb := commit(nil)\n\treturn nil\n", EM_EOL_LF, NULL},
    {"a comment came below the line that tells", YAML("  # hold\n"), "  # why 4\n  list:\n    -\n",
     "  # why 4\n  list:\n    # more\n    -\n", EM_EOL_LF, NULL},
    {"a comment came, and numbers are others elsewhere", SIZES,
     "#define A_INT 4\n#define A_LONG 8\n"
     "#define A_FLOAT 4\n#\n",
     "#define A_INT 4\nnew(32);\n#define A_LONG 8\n#define A_FLOAT 4\n#\n", EM_EOL_LF, NULL},
    {"lines of both places", YAML("") "    - other 0\n",
     "  # why 4\n  list:\n    - item one\n    - other 0\n",
     "  # why 4\n  rest:\n    - item one\n    - other 0\n", EM_EOL_LF, NULL},
    {"a comment behind a line of the context",
     "first(alpha, beta);  // a\nsecond(gamma);\n"
     "new();\nthird(delta);\n",
     TWO, "first(alpha, beta);\nsecond(gamma);\nthird(zeta);\n", EM_EOL_LF,
     "first(alpha, beta);  // a\nsecond(gamma);\nnew();\nthird(zeta);\n"},
    {"a line twice in the search text, which lost its first indentation",
     "{\n    plan(one);\n    two(three);\n    four(five);\n}\n",
     "plan(one);\n    plan(one);\n    two(three);\n    four(five);\n",
     "plan(one);\n    two(three);\n    four(six);\n", EM_EOL_LF,
     "{\n    plan(one);\n    two(three);\n    four(six);\n}\n"},
    /* the line above was taken for the last one of a list, or for none */
    {"a comma too many, and a member more", MEMBERS("", ""), "\"first\": 1,\n\"second\": 2,\n}",
     "\"first\": 1,\n\"second\": 2,\n\"third\": 3\n}", EM_EOL_LF, MEMBERS(",", "  \"third\": 3\n")},
    {"... that ends with one, too", MEMBERS("", ""), "\"first\": 1,\n\"second\": 2,\n}",
     "\"first\": 1,\n\"second\": 2,\n\"third\": 3,\n}", EM_EOL_LF, NULL},
    {"a comma lost before the last one, which goes", MEMBERS(",", "  \"third\": 3\n"),
     "  \"second\": 2\n  \"third\": 3\n}", "  \"second\": 2\n}", EM_EOL_LF, MEMBERS("", "")},
    {"a comma lost, and a member more without one", MEMBERS(",", "  \"third\": 3\n"),
     "  \"first\": 1,\n  \"second\": 2\n", "  \"first\": 1,\n  \"second\": 2\n  \"new\": 0\n",
     EM_EOL_LF, NULL},
};

typedef struct rebased {
    em_arena arena;
    em_rebased answer;
    bool done;
    em_slice result;
} rebased;

static void rebased_drop(rebased *r)
{
    em_arena_drop(&r->arena);
}

static void rebase(rebased *r, const char *bytes, const char *find, const char *insert,
                   em_eol dominant)
{
    *r = (rebased){.done = false};
    em_slice text = em_slice_of(bytes);
    em_occurrences in = {.text = text, .arena = &r->arena};
    assert_int_equal(em_rebase(&in, em_slice_of(find), em_slice_of(insert), dominant, NULL,
                               &r->arena, &r->answer, &r->done),
                     EM_OK);
    if (!r->done)
        return;
    em_span span = r->answer.span;
    em_splice splice = {span.start, span.end - span.start, r->answer.insert};
    assert_int_equal(em_splices_apply(text, (em_splices){&splice, 1}, &r->arena, &r->result),
                     EM_OK);
}

static void an_edit_is_carried_over(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(rebased) r;
        rebase(&r, cases[i].text, cases[i].find, cases[i].insert, cases[i].dominant);
        check_size(cases[i].what, r.done, cases[i].wanted != NULL);
        if (cases[i].wanted)
            check_bytes(cases[i].what, r.result, em_slice_of(cases[i].wanted));
    }
}

static void a_line_that_tells_is_where_the_edit_is_meant(void **state)
{
    (void)state;
    EM_AUTO(rebased) r;
    const char *text = LOGGED("  // encode", "  // schedule");
    rebase(&r, text, "\tlog.Printf(\"b30\", r55)\n\treturn nil\n",
           "\tlog.Printf(\"b30\", r55)\n\tb := commit(nil)\n\treturn nil\n", EM_EOL_LF);
    assert_false(r.done);
    check_bytes("place", em_slice_sub(em_slice_of(text), r.answer.place.start, r.answer.place.end),
                EM_LIT("\tlog.Printf(\"b30\", r55)  // encode\n"));
}

static void what_overlaps_itself_is_widened_until_it_is_found_there(void **state)
{
    (void)state;
    em_span last = {3, 8}, first = {0, 5};
    em_slice text = EM_LIT("ab ab ab\nc\n");
    assert_int_equal(em_widen_until_unique(text, &first), EM_OK);
    assert_int_equal(first.end, 5);
    assert_int_equal(em_widen_until_unique(text, &last), EM_OK);
    assert_int_equal(last.start, 0);
    assert_int_equal(last.end, 9);
}

enum { SIBLINGS = 300 };

/* What a generator may write: many functions of which each has its number. Number `other` returns
 * another one. */
static const char *generated(int other, em_arena *arena)
{
    EM_AUTO(em_strbuf) text = {0};
    for (int i = 0; i < SIBLINGS; i++)
        em_strbuf_printf(&text,
                         "int f%d(void)\n{\n    int a = 0;\n    if (!ok)\n        return %d;\n"
                         "    return g(a, %d);\n}\n\n",
                         i, i == other ? 2 : 1, i);
    return em_strbuf_finish(&text, arena);
}

/* One of them as it was, with a line that has changed since. */
static const char *as_it_was(int number, int returned, em_arena *arena)
{
    EM_AUTO(em_strbuf) text = {0};
    em_strbuf_printf(&text,
                     "int f%d(void)\n{\n    int a;\n    if (!ok)\n        return %d;\n"
                     "    return g(a, %d);\n}\n",
                     number, returned, number);
    return em_strbuf_finish(&text, arena);
}

static void one_of_many_siblings_is_told_from_them(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(rebased) r = {0};
    EM_AUTO(rebased) gone = {0};
    EM_AUTO(rebased) numbered = {0};
    rebase(&r, generated(-1, &arena), as_it_was(150, 1, &arena), as_it_was(150, 2, &arena),
           EM_EOL_LF);
    assert_true(r.done);
    check_bytes("one of many", r.result, em_slice_of(generated(150, &arena)));
    rebase(&gone, generated(-1, &arena), as_it_was(SIBLINGS, 1, &arena),
           as_it_was(SIBLINGS, 2, &arena), EM_EOL_LF);
    assert_false(gone.done);
    rebase(&numbered, generated(-1, &arena),
           "    int a = 9;\n    if (!ok)\n        return 1;\n    return g(a, 150);\n",
           "    int a = 9;\n    if (!ok)\n        return 2;\n    return g(a, 150);\n", EM_EOL_LF);
    assert_false(numbered.done); /* where siblings differ in a number, another one may be meant */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_edit_is_carried_over),
        cmocka_unit_test(one_of_many_siblings_is_told_from_them),
        cmocka_unit_test(what_overlaps_itself_is_widened_until_it_is_found_there),
        cmocka_unit_test(a_line_that_tells_is_where_the_edit_is_meant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
