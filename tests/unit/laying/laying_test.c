#include "laying/laying.h"

#include "match/fuzzy.h"
#include "match/place_edges.h"
#include "scarce_arena.h"

#define NB "\xC2\xA0"

static const struct {
    const char *what, *text, *find, *insert;
    const char *wanted; /* the text with the edit laid in; NULL: the result is not sound */
} cases[] = {
    {"a here-document ends where it ends", "if x; then\n\t\techo one\n\t\techo two\nfi\n",
     "        echo one\n        echo two\n",
     "        echo one\n        cat <<EOF\nhello\nEOF\n        echo two\n",
     "if x; then\n\t\techo one\n\t\tcat <<EOF\nhello\nEOF\n\t\techo two\nfi\n"},
    {"a block comes for a line of a text that is a blank too deep",
     "f() {\n    a();\n    b();\n}\n", " f() {\n     a();\n     b();\n }\n",
     " f() {\n     if (p) {\n         c();\n     }\n     b();\n }\n",
     "f() {\n    if (p) {\n        c();\n    }\n    b();\n}\n"},
    {"or for all lines but the last", "f() {\n    a();\n}\n", "     a();\n }\n",
     "     if (p) {\n         c();\n     }\n }\n", "f() {\n    if (p) {\n        c();\n    }\n}\n"},
    {"as it is where it lacks one", "k:\n  l:\n    m: 1\n  n: 2\n", " l:\n   m: 1\n n: 2\n",
     " l:\n   o:\n     p: 3\n n: 2\n", "k:\n  l:\n    o:\n      p: 3\n  n: 2\n"},
    {"the first line came bare and comes into a block with others that are a blank too deep",
     "k:\n  l: 1\n  m: 2\n", "l: 1\n   m: 2\n", "o:\n     l: 1\n     m: 2\n",
     "k:\n  o:\n    l: 1\n    m: 2\n"},
    {"lines that change places come into a block below another, as deep as the file had them",
     "f:\n    a()\n    b()\n    c()\n", "a()\nb()\nc()\n", "if p:\n    b()\n    a()\nc()\n",
     "f:\n    if p:\n        b()\n        a()\n    c()\n"},
    {"and below one that is deeper", "f:\n    a()\n    b()\n    c()\n", "a()\nb()\nc()\n",
     "if p:\n    while q:\n        b()\n    a()\nc()\n",
     "f:\n    if p:\n        while q:\n            b()\n        a()\n    c()\n"},
    {"but stay where no block begins", "f:\n    a()\n    b()\n    c()\n", "a()\nb()\nc()\n",
     "    b()\n    a()\n    c()\n", "f:\n    b()\n    a()\n    c()\n"},
    /* what is aligned behind tabs */
    {"comes a tab deeper with its line", "f(one,\n\t\t two) {\n\ta;\n}\n",
     "f(one,\n         two) {\n    a;\n}\n",
     "if (p) {\n    f(one,\n             two) {\n        a;\n    }\n}\n",
     "if (p) {\n\tf(one,\n\t\t\t two) {\n\t\ta;\n\t}\n}\n"},
    {"and less deep", "if (p) {\n\tf(one,\n\t\t\t two) {\n\t\ta;\n\t}\n}\n",
     "if (p) {\n    f(one,\n             two) {\n        a;\n    }\n}\n",
     "f(one,\n         two) {\n    a;\n}\n", "f(one,\n\t\t two) {\n\ta;\n}\n"},
    /* the lines of a string tell nothing */
    {"a string of Python", "def f():\n    t = \"\"\"\none\n  two  \n\"\"\"\n    g(t)\n",
     "t = \"\"\"\none\n  two\n\"\"\"\ng(t)\n",
     "if p:\n    t = \"\"\"\none\n  two\n\"\"\"\n    g(t)\n",
     "def f():\n    if p:\n        t = \"\"\"\none\n  two  \n\"\"\"\n        g(t)\n"},
    {"a raw string of Go", "f {\n\tt := `a\n  b\n\tc\n`\n\tg(t)\n}\n",
     "  t := `a\n  b\n\tc\n`\n  g(t)\n", "  if p {\n    t := `a\n  b\n\tc\n`\n    g(t)\n  }\n",
     "f {\n\tif p {\n\t\tt := `a\n  b\n\tc\n`\n\t\tg(t)\n\t}\n}\n"},
    {"a here-document's", "f {\n    cat <<EOF\none\n  two\nEOF\n    g\n}\n",
     "cat <<EOF\none\n  two\nEOF\ng\n", "a\ncat <<EOF\none\n  two\nEOF\ng\nb\n",
     "f {\n    a\n    cat <<EOF\none\n  two\nEOF\n    g\n    b\n}\n"},
    /* what is repeated stays as the file has it */
    {"blanks", "int   a  = 1; // x", "int a = 1;", "int a = 2;", "int   a  = 2; // x"},
    {"a word more", "f( a,  b )", "f(a, b)", "f(a, b, c)", "f( a,  b, c )"},
    {"a word fewer", "f( a,  b )", "f(a, b)", "f(a)", "f( a )"},
    {"a word moved", "a   b c", "a b c", "b c a", "b c a"},
    {"all of it new", "a  b", "a b", "c d e", "c d e"},
    {"nothing left", "x\n  a  b\ny\n", "a b\n", "", "x\ny\n"},
    {"lines become like those behind them, whose blanks are mended",
     "    }\n    return true;\n}\nreturn false;\n", "    }\n    return true;\n}\nreturn  false;\n",
     "    }\n    return false;\n}\nreturn  false;\n",
     "    }\n    return false;\n}\nreturn false;\n"},
    {"trailing blanks", "a  \nb\t\nc\n", "a\nb\nc\n", "a\nB\nc\n", "a  \nB\nc\n"},
    {"which the replacement alone has as the file", "  a  \n  b\nc\n", "a    \nb  \n",
     "  a  \n  B\n", "  a  \n  B\nc\n"},
    {"and which it lacks", "a  \nb\t\nc\n", "a    \nb  \nc\n", "a\nB\nc\n", "a\nB\nc\n"},
    {"what is not seen behind a line that stays", "a\nb" NB "\nc\n", "a\nb\n", "a\nb\nd\n",
     "a\nb" NB "\nd\nc\n"},
    {"it goes with one that goes", "a\nb\xE2\x80\x8B\nc\n", "a\nb\n", "a\n", "a\nc\n"},
    {"as does a form feed", "a \t\nb\f\nc\n", "a\nb\n", "a\n", "a \t\nc\n"},
    /* an indentation at the end of both texts is the next line's */
    {"a line before it goes", "a\n\tb( )\n\tc\n", "\n    b()\n    ", "\n    ", "a\n\tc\n"},
    {"with an empty line before that", "a\n\n  b( )\n  c\n", "\n  b()\n  ", "\n  ", "a\n\n  c\n"},
    {"it is all that is left", "a\n  b( )\n  c\n", "  b()\n  ", "  ", "a\n  c\n"},
    {"and an empty line", "a\n  b( )\n  c\n", "  b()\n  ", "\n  ", "a\n\n  c\n"},
    {"of an empty line", "a\n  b( )\n \nc\n", "  b()\n    ", "    ", "a\n \nc\n"},
    {"another one", "a\n  b( )\n  c\n", "  b()\n  ", "\n    ", NULL},
    {"one of a line that comes bare", "a\n  b( )\n  c\n", "b()\n  ", "  ", NULL},
    {"one that has none itself", "a\nb( ):\n  c\n", "b():\n  ", "  ", "a\n  c\n"},
    {"one within a line", "a; b( )\n  c\n", "b()\n  ", "  ", NULL},
    {"none of a whole line before", "a\n  b( )\n  c\n", "  b()\n", "  ", "a\n    c\n"},
    {"empty lines more", "a\n\n\nb  x\n", "a\nb x\n", "a\nb y\n", "a\n\n\nb  y\n"},
    {"empty lines fewer", "a\nb  x\n", "a\n\nb x\n", "a\n\nb y\n", "a\nb  y\n"},
    {"one before what goes, and one behind", "a\n    \n  b( )\n\n  c\n", "    \n  b()\n\n  c",
     "    \n\n  c", "a\n    \n\n  c\n"},
    {"with other blanks", "a\n\t\n\tb( )\n \n\tc\n", "\n\tb()\n\n\tc", "\n\n\tc",
     "a\n\t\n \n\tc\n"},
    {"of which one goes, too", "a\n \n  b( )\n\n  c\n", " \n  b()\n\n  c", " \n  c", "a\n \n  c\n"},
    {"both, and no line", "a\n \n  b( )\n\t\nc\n", "\n  b()\n\n", "\n\n", "a\n \n\t\nc\n"},
    {"the one behind alone", "a\n  b( )\n\t\nc\n", "  b()\n\n", "\n", "a\n\t\nc\n"},
    {"the one behind, before a line", "a\n  b( )\n\t\n  c\n", "  b()\n\n  c", "\n  c",
     "a\n\t\n  c\n"},
    {"where what goes ends in what is not seen", "a\n\t\n  b( )" NB "\n\nc\n", "a\n\n  b()\n\nc",
     "a\n\nc", "a\n\t\nc\n"},
    {"one before the last line that goes", "a\n \t\n  b( )\nc\n", "a\n\n  b()", "a\n ",
     "a\n \t\nc\n"},
    {"which the file has not", "a\n  b( )\nc\n", "a\n\n  b()", "a\n", "a\nc\n"},
    {"lines that the file has joined", "a; b; c\n", "a;\nb;\nc\n", "a;\nb;\nd\n", "a; b; d\n"},
    {"and the replacement, too", "f(a, b);\ng( c);\n", "f(a,\n  b);\ng(c);", "f(a, b);\ng(d);",
     "f(a, b);\ng( d);\n"},
    {"and one with a word more", "f(a, b);\ng( c);\n", "f(a,\n  b);\ng(c);", "f(a, b, x);\ng(d);",
     "f(a, b, x);\ng( d);\n"},
    {"joined lines that come into a block", "a()\nb()\nc()\n", "a()\nb() c()\n",
     "if p:\n    a()\n    b() c()\n", "if p:\n    a()\n    b()\n    c()\n"},
    {"... with more in them", "  a()\n  b\n    .c( )\n  d\n", "  a()\n  b .c() d\n",
     "  if p:\n    a()\n    b .c() d\n", "  if p:\n    a()\n    b\n      .c( )\n    d\n"},
    {"... that come out of one", "  if p:\n    a( )\n  b()\n", "  if p:\n    a() b()\n",
     "  a() b()\n", "  a( )\n  b()\n"},
    {"joined in the search text alone", " * a\n *\n * b c\n", " * a\n * * b c\n",
     " * a\n *\n * b d\n", " * a\n *\n * b d\n"},
    {"... of which lines become others", "p: {\n    q: { r: 1 },\n},\n", "p: { q: { r: 1 }, },\n",
     "p: {\n    q: { r: 1 },\n    s: { r: 2 },\n},\n",
     "p: {\n    q: { r: 1 },\n    s: { r: 2 },\n},\n"},
    {"... without the first indentation, as the replacement",
     "  {\n    \"a\": 1\n  },\n  \"b\": {\n    \"c\":  2\n  }\n", "\"a\": 1 }, \"b\": { \"c\": 2",
     "\"a\": 1\n  },\n  \"d\": {\n    \"c\": 2",
     "  {\n    \"a\": 1\n  },\n  \"d\": {\n    \"c\":  2\n  }\n"},
    {"... which comes out of the blocks", "  {\n    if (a) {\n      b( );\n    }\n  }\n",
     "if (a) { b(); }", "if (a) {\n  b();\n  c();\n}",
     "  {\n    if (a) {\n      b( );\n      c();\n    }\n  }\n"},
    {"a line that the search text has in two", "if (a) {\n  b();\n} else c( );\n",
     "if (a) {\n  b();\n}\nelse c();\n",
     "if (a) {\n  if (p) {\n    q();\n  }\n  b();\n} else c();\n",
     "if (a) {\n  if (p) {\n    q();\n  }\n  b();\n} else c( );\n"},
    {"lines that the file has apart", "f(\n  a,\n  b)\n", "f(a, b)\n", "f(a, c)\n",
     "f(\n  a,\n  c)\n"},
    {"new words have letters composed as those that were found",
     "a = \"\xC3\x9C"
     "ber\"\nb = \"M\xC3\xBCller\"\n",
     "b = \"Mu\xCC\x88ller\"",
     "b = \"Mu\xCC\x88ller-Lu\xCC\x88"
     "denscheid\"",
     "a = \"\xC3\x9C"
     "ber\"\nb = \"M\xC3\xBCller-L\xC3\xBC"
     "denscheid\"\n"},
    {"... or apart", "b = \"Mu\xCC\x88ller\"\n", "b = \"M\xC3\xBCller\"", "b = \"M\xC3\xBCllers\"",
     "b = \"Mu\xCC\x88llers\"\n"},
    {"... but as they came where those were found as they are", "b = M\xC3\xBCller\n",
     "b  = M\xC3\xBCller", "b  = Lu\xCC\x88ge", "b = Lu\xCC\x88ge\n"},
    {"curly quotes",
     "say \xE2\x80\x9C"
     "a\xE2\x80\x9D  b",
     "say \"a\" b", "say \"a\" c",
     "say \xE2\x80\x9C"
     "a\xE2\x80\x9D  c"},
    {"a no-break space",
     "a\xC2\xA0"
     "b  c",
     "a b c", "a b d",
     "a\xC2\xA0"
     "b  d"},
    {"decomposed letters", "e\xCC\x81t  1", "\xC3\xA9t 1", "\xC3\xA9t 2", "e\xCC\x81t  2"},
    /* no-break spaces for the file's blanks */
    {"they are as wide as blanks",
     "a:\n    b:\n        c:\n            d:\n                e(\"f\", 1)\n",
     NB " " NB " " NB " " NB " " NB " " NB " " NB " " NB " e(\"f\", 1)\n",
     "                g(\"h\", 1)\n",
     "a:\n    b:\n        c:\n            d:\n                g(\"h\", 1)\n"},
    {"the replacement has them too", "if x:\n    a(b, 1)\n", NB NB NB NB "a(b," NB "1)\n",
     NB NB NB NB "a(b," NB "1)\n" NB NB NB NB "d" NB "=" NB "2" NB "\n",
     "if x:\n    a(b, 1)\n    d = 2 \n"},
    {"in other depth than the file", "if x:\n\ta = 1\n", NB NB "a" NB "= 1\n",
     NB NB "a" NB "= 1\n" NB NB "b" NB "= 2\n", "if x:\n\ta = 1\n\tb = 2\n"},
    {"a replacement of them alone", "a\n\nb  c\n", "a\n\nb" NB "c\n", "a\n" NB "\nb" NB "c\n",
     "a\n\nb  c\n"},
    {"the file has some elsewhere: those within lines may be meant",
     "if x:\n    a = 1\n    print('1" NB "%')\n", NB NB NB NB "a = 1\n",
     NB NB NB NB "a = 1\n" NB NB NB NB "print('2" NB "%')\n",
     "if x:\n    a = 1\n    print('2" NB "%')\n    print('1" NB "%')\n"},
    {"the file is indented with them", NB NB "a  = 1\n", NB NB "a = 1\n",
     NB NB "a = 1\n" NB NB "b = 2\n", NB NB "a  = 1\n" NB NB "b = 2\n"},
    {"only the replacement has them", "a  = 1\n", "a = 1\n", "a = 1\nb = '" NB "'\n",
     "a  = 1\nb = '" NB "'\n"},
    /* new signs are written as the file does */
    {"single quotes for double", "f('a', 'b')", "f(\"a\", \"b\")", "f(\"a\", \"b\", \"c\")",
     "f('a', 'b', 'c')"},
    {"a variable comes into a string of other quotes", "echo \"hi\", \"a\"", "echo 'hi', 'a'",
     "echo '$HOME costs', 'b'", "echo '$HOME costs', \"b\""},
    {"an escape does", "puts 'hi'", "puts \"hi\"", "puts \"hi\\n\"", "puts \"hi\\n\""},
    {"one that was there already", "puts '$a b'", "puts \"$a b\"", "puts \"$a c\"", "puts '$a c'"},
    {"straight quotes for curly", "f(\"a\")",
     "f(\xE2\x80\x9C"
     "a\xE2\x80\x9D)",
     "f(\xE2\x80\x9C"
     "a\xE2\x80\x9D, \xE2\x80\x98"
     "b\xE2\x80\x99)",
     "f(\"a\", 'b')"},
    {"escaped ones, too", "f('a')",
     "f(\xE2\x80\x98"
     "a\xE2\x80\x99)",
     "f(\xE2\x80\x9C"
     "a \\\xE2\x80\x9D"
     "b\\\xE2\x80\x9D\xE2\x80\x9D)",
     "f(\"a \\\"b\\\"\")"},
    {"curly for straight",
     "\xE2\x80\x9C"
     "a\xE2\x80\x9D  x",
     "\"a\" x", "\"a\" \"b\" x",
     "\xE2\x80\x9C"
     "a\xE2\x80\x9D \xE2\x80\x9C"
     "b\xE2\x80\x9D  x"},
    {"an apostrophe and quotes each their own way", "it\xE2\x80\x99s b  1; 'a'", "it's b 1; 'a'",
     "it's b and isn't c 1; 'a' + 'c'", "it\xE2\x80\x99s b and isn\xE2\x80\x99t c  1; 'a' + 'c'"},
    /* ... but a comment's marks do not come into code, nor those of a string behind it */
    {"curly quotes of a comment",
     "# \xE2\x80\x9C"
     "big\xE2\x80\x9D\nx = f(1)\n",
     "# \"big\"\nx = f(1)\n", "# \"big\"\nx = f(1, \"k\")\n",
     "# \xE2\x80\x9C"
     "big\xE2\x80\x9D\nx = f(1, \"k\")\n"},
    {"... behind the code",
     "f(x)  # \xE2\x80\x9C"
     "big\xE2\x80\x9D\n",
     "f(x)  # \"big\"\n", "f(x, \"k\")  # \"big\"\n",
     "f(x, \"k\")  # \xE2\x80\x9C"
     "big\xE2\x80\x9D\n"},
    {"an apostrophe of a comment", "# don\xE2\x80\x99t\nx = 1\n", "# don't\nx = 1\n",
     "# don't\nx = f'a'\n", "# don\xE2\x80\x99t\nx = f'a'\n"},
    {"straight quotes of a comment", "// 'big' a\nx := f(1)\n", "// \"big\" a\nx := f(1)\n",
     "// \"big\" a\nx := f(1, \"k\")\n", "// 'big' a\nx := f(1, \"k\")\n"},
    {"quotes of a text, not of an attribute", "<p>\xE2\x80\x9CHi\xE2\x80\x9D there</p>\n",
     "<p>\"Hi\" there</p>\n", "<p>\"Hi\" there <a href=\"x\">you</a></p>\n",
     "<p>\xE2\x80\x9CHi\xE2\x80\x9D there <a href=\"x\">you</a></p>\n"},
    {"a minus below a dash", "# size \xE2\x80\x94 in bytes\nn = f(x)\n",
     "# size - in bytes\nn = f(x)\n", "# size - in bytes\nn = f(x) - 1\n",
     "# size \xE2\x80\x94 in bytes\nn = f(x) - 1\n"},
    {"a minus behind a string with a dash", "print('a \xE2\x80\x94 b', n)\n", "print('a - b', n)\n",
     "print('a - b', n - 1)\n", "print('a \xE2\x80\x94 b', n - 1)\n"},
    {"an option", "# log \xE2\x80\x94 a\ngit log\n", "# log -- a\ngit log\n",
     "# log -- a\ngit log -- a\n", "# log \xE2\x80\x94 a\ngit log -- a\n"},
    {"an option in the same words",
     "Fast \xE2\x80\x93 one, 3\xE2\x80\x93"
     "4\n",
     "Fast - one, 3-4\n", "Fast - one, 3-4, with -r\n",
     "Fast \xE2\x80\x93 one, 3\xE2\x80\x93"
     "4, with -r\n"},
    {"the sign of a list", "* The one \xE2\x80\x94 fast\n* b\n", "* The one - fast\n",
     "- The one - fast\n- a new one\n", "- The one \xE2\x80\x94 fast\n- a new one\n* b\n"},
    {"a dash in the same words", "* The one \xE2\x80\x94 fast\n* b\n", "* The one - fast\n",
     "* The one - new - fast\n", "* The one \xE2\x80\x94 new \xE2\x80\x94 fast\n* b\n"},
    {"an ellipsis above a spread", "# wait \xE2\x80\xA6 a\nf(x)\n", "# wait ... a\nf(x)\n",
     "# wait ... a\nf(...x)\n", "# wait \xE2\x80\xA6 a\nf(...x)\n"},
    {"a quote that would end the string", "f('a')", "f(\"a\")", "f(\"it's a\")", "f(\"it's a\")"},
    {"not one quote of a string alone", "a = \"x\"\nb = 'y\nc = 1\n", "a = 'x'\nb = 'y\nc = 1\n",
     "a = 'x'\nb = 'y\nd = f('z', 'w')\nc = 1\n", "a = \"x\"\nb = 'y\nd = f('z', 'w')\nc = 1\n"},
    {"the quotes of a string with a prefix", "a = \"x\"\nb = 1\n", "a = 'x'\nb = 1\n",
     "a = 'x'\nc = f'z' + y\nb = 1\n", "a = \"x\"\nc = f\"z\" + y\nb = 1\n"},
    {"straight for curly, where a comment has curly ones",
     "# \xE2\x80\x9C"
     "big\xE2\x80\x9D\nf(\"a\")\n",
     "# \xE2\x80\x9C"
     "big\xE2\x80\x9D\nf(\xE2\x80\x9C"
     "a\xE2\x80\x9D)\n",
     "# \xE2\x80\x9C"
     "big\xE2\x80\x9D\nf(\xE2\x80\x9C"
     "a\xE2\x80\x9D)\ng(\xE2\x80\x9C"
     "b\xE2\x80\x9D)\n",
     "# \xE2\x80\x9C"
     "big\xE2\x80\x9D\nf(\"a\")\ng(\"b\")\n"},
    {"a string that goes on in other signs",
     "say \xE2\x80\x9C"
     "a\xE2\x80\x9D (now)\n",
     "say \"a\" (now)\n", "say \"a\" is \"b(c)\" (now)\n",
     "say \xE2\x80\x9C"
     "a\xE2\x80\x9D is \"b(c)\" (now)\n"},
    {"signs for entities", "<b>a</b>", "&lt;b&gt;a&lt;/b&gt;", "&lt;b&gt;a &amp; c&lt;/b&gt;",
     "<b>a & c</b>"},
    {"... of which the file has two, but no entity",
     "<a b=\"c\"> \xE2\x80\x9C"
     "d\xE2\x80\x9D  e",
     "&lt;a b=&quot;c&quot;&gt; &quot;d&quot; e",
     "&lt;a b=&quot;c&quot; f=&quot;g&quot;&gt; &quot;d&quot; e",
     "<a b=\"c\" f=\"g\"> \xE2\x80\x9C"
     "d\xE2\x80\x9D  e"},
    {"... or an entity, too", "<a b=\"c\"> &quot;d&quot;  e", "<a b=&quot;c&quot;> &quot;d&quot; e",
     "<a b=&quot;c&quot;> &quot;h&quot; &quot;d&quot; e",
     "<a b=\"c\"> &quot;h&quot; &quot;d&quot;  e"},
    {"... which curly quotes tell nothing of", "<p title=\"a\">b</p>\n",
     "<p title=\xE2\x80\x9C"
     "a\xE2\x80\x9D>b</p>\n",
     "<p title=\xE2\x80\x9C"
     "a\xE2\x80\x9D>1 &lt; 2 \xE2\x80\x98so\xE2\x80\x99</p>\n",
     "<p title=\"a\">1 &lt; 2 'so'</p>\n"},
    {"a third writing of a quote that was wrong", "f(\"x\",  1)\n",
     "f(\xE2\x80\x9C"
     "x\xE2\x80\x9D, 1)\n",
     "f(&quot;x&quot;, 2)\n", "f(\"x\",  2)\n"},
    {"... the other way round", "f(\"x\",  1)\n", "f(&quot;x&quot;, 1)\n",
     "f(\xE2\x80\x9C"
     "y\xE2\x80\x9D, 1)\n",
     "f(\"y\",  1)\n"},
    {"... which tells of new ones", "f(\"x\",  1)\n",
     "f(\xE2\x80\x9C"
     "x\xE2\x80\x9D, 1)\n",
     "f(&quot;x&quot;, 1)\ng(&quot;z&quot;)\n", "f(\"x\",  1)\ng(\"z\")\n"},
    {"... of one that was right may be meant", "f(\"x\",  1)\n", "f(\"x\", 1)\n",
     "f(&quot;x&quot;, 1)\n", "f(&quot;x&quot;,  1)\n"},
    {"entities for signs", "a &amp; b  c", "a & b c", "a & b & c", "a &amp; b &amp;  c"},
    {"a sign that the file has in two ways", "'a' \"b\"  c", "'a' 'b' c", "'a' 'b' 'd' c",
     "'a' \"b\" 'd'  c"},
    /* a line that moved */
    {"with the blanks behind it", "{\n  a = 1;  \n  b = 2;\n  c = 3;\n}\n",
     "  a = 1;\n  b = 2;\n  c = 3;\n", "  b = 2;\n  c = 4;\n  a = 1;\n",
     "{\n  b = 2;\n  c = 4;\n  a = 1;  \n}\n"},
    {"with those within it, and its quotes", "f( 'a' ,  1);\nb;\nc \"x\";\n",
     "f(\"a\", 1);\nb;\nc \"x\";\n", "b;\nc \"x\";\nf(\"a\", 1);\n",
     "b;\nc \"x\";\nf( 'a' ,  1);\n"},
    {"with three quotes in a row alone", "  a.\n  \"\"\"\n  f(\"x\")\n  g()\n",
     "  a.\n  \xE2\x80\x9C\xE2\x80\x9D\"\n  f(\xE2\x80\x9C"
     "x\xE2\x80\x9D)\n  g()\n",
     "  a.\n  f(\xE2\x80\x9C"
     "x\xE2\x80\x9D)\n  \xE2\x80\x9C\xE2\x80\x9D\"\n  g()\n",
     "  a.\n  f(\"x\")\n  \"\"\"\n  g()\n"},
    /* a repeated line that has some of its quotes wrong */
    {"one of two kinds", "  \"a\": 1,\n  \"b\": \"c\",\n", "  \"a\": 1,\n  'b': \"c\",",
     "  \"a\": 9,\n  'b': \"c\",", "  \"a\": 9,\n  \"b\": \"c\",\n"},
    {"two of three in a row", "  \"\"\"Do it.\"\"\"\n  return 1\n",
     "  \xE2\x80\x9C\xE2\x80\x9D\"Do it.\xE2\x80\x9C\xE2\x80\x9D\"\n  return 1",
     "  \xE2\x80\x9C\xE2\x80\x9D\"Do it.\xE2\x80\x9C\xE2\x80\x9D\"\n  return 2",
     "  \"\"\"Do it.\"\"\"\n  return 2\n"},
    {"entities and quotes", "if (x == \"a\" && y == \"b\")\n  z(1);\n",
     "if (x == &quot;a&quot; && y == \"b\")\n  z(1);",
     "if (x == &quot;a&quot; && y == \"b\")\n  z(2);", "if (x == \"a\" && y == \"b\")\n  z(2);\n"},
    {"apostrophes", "# don't do what it's for\nx = 1\n",
     "# don\xE2\x80\x99t do what it's for\nx = 1", "# don\xE2\x80\x99t do what it's for\nx = 2",
     "# don't do what it's for\nx = 2\n"},
    {"a word of it changes", "f(\"a\", \"b\");\n", "f('a', \"b\");", "f('a', \"c\");",
     "f(\"a\", \"c\");\n"},
    {"words change in three quotes in a row", "\"\"\"Do it.\"\"\"\n",
     "\xE2\x80\x9C\xE2\x80\x9D\"Do it.\xE2\x80\x9C\xE2\x80\x9D\"",
     "\xE2\x80\x9C\xE2\x80\x9D\"Do that.\xE2\x80\x9C\xE2\x80\x9D\"", "\"\"\"Do that.\"\"\"\n"},
    {"a line comes with three quotes in a row", "\"\"\"Do it.\"\"\"\n",
     "\xE2\x80\x9C\xE2\x80\x9D\"Do it.\xE2\x80\x9C\xE2\x80\x9D\"\n",
     "\xE2\x80\x9C\xE2\x80\x9D\"Do "
     "it.\xE2\x80\x9C\xE2\x80\x9D\"\n\xE2\x80\x9C\xE2\x80\x9D\"So.\xE2\x80\x9C\xE2\x80\x9D\"\n",
     "\"\"\"Do it.\"\"\"\n\"\"\"So.\"\"\"\n"},
    {"... around a quote of the file's style", "\"\"\"Do it.\"\"\"\n", "'''Do it.'''\n",
     "'''Do \"it\".'''\n", "\"\"\"Do \"it\".\"\"\"\n"},
    {"... right beside one", "\"\"\"Do it.\"\"\"\n", "'''Do it.'''\n", "'''Do \"it\"'''\n",
     "'''Do \"it\"'''\n"},
    {"a command comes between three quotes", "\"\"\"Do it.\"\"\"\n", "'''Do it.'''\n",
     "'''Do `it`.'''\n", "'''Do `it`.'''\n"},
    {"a variable does", "'''Do it.'''  # a\n", "\"\"\"Do it.\"\"\" # a\n",
     "\"\"\"Do $HOME.\"\"\" # a\n", "\"\"\"Do $HOME.\"\"\"  # a\n"},
    {"... in another string of the line", "f(\"\"\"a\"\"\",  \"b\")\n", "f('''a''', 'b')\n",
     "f('''c''', '$b')\n", "f(\"\"\"c\"\"\",  '$b')\n"},
    {"... in a line of its own", "\"\"\"Do it.\"\"\"\n", "'''Do it.'''\n",
     "'''Do it.'''\n'''So `x`.'''\n", "\"\"\"Do it.\"\"\"\n'''So `x`.'''\n"},
    {"... in the first line of several", "\"\"\"Do\nit.\"\"\"\n", "'''Do\nit.'''\n",
     "'''Do `x`\nit.'''\n", "\"\"\"Do `x`\nit.\"\"\"\n"},
    {"a string comes behind it", "x['a'] =  1\n", "x[\"a\"] = 1", "x[\"a\"] = \"it's\"",
     "x['a'] =  \"it's\"\n"},
    {"a string goes whose quotes are others", "x = 'a' + \"it's\"\n", "x = \"a\" + \"it's\"",
     "x = \"it's\"", "x = \"it's\"\n"},
    {"two strings become one", "x = 'a' + \"it's\"\n", "x = \"a\" + \"it's\"", "x = \"a it's\"",
     "x = \"a it's\"\n"},
    {"a backslash before a quote ends no string", "f('a', 1)\n", "f(\"a\", 1)", "f(\"a\\\"b\", 1)",
     "f('a\\\"b', 1)\n"},
    /* a slip in the search text alone */
    {"it lacks a level", "def f():\n    if x:\n        a(1)\n    else:\n        b()\n",
     "if x:\n    a(1)\nelse:\n    b()\n", "    if x:\n        a(2)\n    else:\n        b()\n",
     "def f():\n    if x:\n        a(2)\n    else:\n        b()\n"},
    {"it lacks all levels", "def f():\n    if x:\n        a(1)\n    else:\n        b()\n",
     "if x:\na(1)\nelse:\nb()\n", "    if x:\n        a(2)\n    else:\n        b()\n",
     "def f():\n    if x:\n        a(2)\n    else:\n        b()\n"},
    {"it has a level more", "class A:\n    def f():\n        if x:\n            a(1)\n",
     "            if x:\n                a(1)\n", "        if x:\n            a(2)\n",
     "class A:\n    def f():\n        if x:\n            a(2)\n"},
    {"it has a level more, all of a line is new", "{\n    a(1);\n}\n", "        a(1);\n",
     "    a(2);\n    b();\n", "{\n    a(2);\n    b();\n}\n"},
    {"it has a level more, and a line goes deeper", "{\n    a();\n    b();\n    c();\n}\n",
     "        a();\n        b();\n        c();\n",
     "    a();\n    if (x) {\n        b();\n    }\n    c();\n",
     "{\n    a();\n    if (x) {\n        b();\n    }\n    c();\n}\n"},
    {"all of it lacks a step, and a line comes as deep as that which goes is in the file",
     "n:\n  # why 4\n  list:\n    - walrus\n    - other 5\n", "# why 4\nlist:\n  - walrus\n",
     "# why 4\n  vortex(51);\n  - walrus\n", NULL},
    {"and other lines follow", "def f():\n  start()\n  if a:\n    one()\n  two()\n",
     "start()\nif a:\n  one()\n", "start()\n  zero()\n  one()\n", NULL},
    {"of two lines that say the same, either may go", "\tx;\n\t}\n}\nsub c {\n\tmy $t;\n",
     "}\n}\nsub c {\nmy $t;\n", "}\nsub c {\n\tmy $t;\n", NULL},
    {"and they came as deep as each other", "\tx;\n\t}\n}\nsub c {\n\tmy $t;\n",
     "\t}\n\t}\nsub c {\nmy $t;\n", "}\nsub c {\n\tmy $t;\n", NULL},
    {"and the replacement tells which stays", "\tx;\n\t}\n}\nsub c {\n\tmy $t;\n",
     "\t}\n\t}\nsub c {\nmy $t;\n", "\t}\nsub c {\n\tmy $t;\n", "\tx;\n\t}\nsub c {\n\tmy $t;\n"},
    {"it has a level more, and the line that has the least goes",
     "switch (x) {\n    case 1:\n        a(1);\n    case 2:\n        b(2);\n}\n",
     "            a(1);\n        case 2:\n            b(2);\n", "        a(1);\n        b(2);\n",
     "switch (x) {\n    case 1:\n        a(1);\n        b(2);\n}\n"},
    {"it lacks all levels, and the line that has the least goes",
     "switch (x) {\n    case 1:\n        a(1);\n    case 2:\n        b(2);\n}\n",
     "a(1);\ncase 2:\nb(2);\n", "        a(1);\n        b(2);\n",
     "switch (x) {\n    case 1:\n        a(1);\n        b(2);\n}\n"},
    {"it has more levels than the lines that stay",
     "class A:\n  def f():\n    a(1)\n\n  def g():\n    b(2)\n",
     "        a(1)\n\n      def g():\n        b(2)\n", "    a(1)\n\n    b(2)\n",
     "class A:\n  def f():\n    a(1)\n\n    b(2)\n"},
    {"it lacks a level, and a line that is less deep comes", "class A:\n  def f():\n    a(1)\n",
     "  a(1)\n", "    a(1)\n  def g():\n    b(2)\n",
     "class A:\n  def f():\n    a(1)\n  def g():\n    b(2)\n"},
    {"it has other steps, and lines of both texts stand as none in the file",
     "f() {\n    a(1);\n    return b;\n}\n\ng() {\n    c();\n}\n",
     "   a(1);\n   return b;\n }\n\n g() {\n   c();\n",
     "  a(2);\n  return b;\n}\n\ng() {\n  c();\n", NULL},
    {"it lost a level, and a line that is right in it moves by as much",
     "<ul>\n  <li>a</li>\n</ul>\n", "<ul>\n<li>a</li>\n", "  <b>c</b>\n  <li>a</li>\n",
     "  <b>c</b>\n  <li>a</li>\n</ul>\n"},
    {"it lost all levels, and a line around goes",
     "f {\n    a {\n        b(1);\n        c(2);\n    }\n    d\n", "a {\nb(1);\nc(2);\n}\nd\n",
     "    b(1);\n    c(2);\n    }\n    d\n", "f {\n    b(1);\n    c(2);\n    }\n    d\n"},
    {"it lacks a level, and no line is left, of which the last was the least deep",
     "f:\n    if x:\n        c(3)\n    d(4)\n", "    c(3)\nd(4)\n", "    e(5)\n    g(7)\n",
     "f:\n    if x:\n        e(5)\n        g(7)\n"},
    {"none of two words", "f:\n    if x:\n        c\n    d\n", "    c\nd\n", "    e\n",
     "f:\n    if x:\n        e\n"},
    {"none but the end of a block, which is as deep as in the file",
     "f {\n    a {\n        b;\n    },\n    c;\n", "    b;\n}", "    }",
     "f {\n    a {\n    },\n    c;\n"},
    {"none, and the replacement begins as the file does", "f:\n    if x:\n        c\n    d\n",
     "    c\nd\n", "        e\n    g\n", "f:\n    if x:\n        e\n    g\n"},
    {"it lacks a column, and the line that has the least is indented otherwise",
     "  f() {\n    a();\n  }\n\n private:\n  b(1, 2);\n  c(3);\n",
     "   a();\n }\n\nprivate:\n b(1, 2);\n c(3);\n",
     "    a();\n  }\n\n  private:\n  b(1, 2);\n  d(4);\n",
     "  f() {\n    a();\n  }\n\n  private:\n  b(1, 2);\n  d(4);\n"},
    {"blanks behind a line", "a  \nb\nc  \nd\n", "a\nb \nc\nd\n", "a  \nb\nc  \ne\n",
     "a  \nb\nc  \ne\n"},
    {"in a file of CRLFs", "{\r\n    a(1);\r\n    b();\r\n}\r\n", "a(1);\nb();\n",
     "    a(2);\n    b();\n", "{\r\n    a(2);\r\n    b();\r\n}\r\n"},
    {"in both texts: a block around a line", "{\n    a();\n}\n", "        a();\n",
     "        if (x) {\n            a();\n        }\n",
     "{\n    if (x) {\n        a();\n    }\n}\n"},
    {"it has a level more, and no line ending", "{\n    a(1);\n    b();\n}\n", "        a(1);",
     "    a(2);\n    c();", "{\n    a(2);\n    c();\n    b();\n}\n"},
    {"it has a level more, and a block comes that is as deep as the difference makes it",
     "{\n    a(1);\n    b(2);\n    c(3);\n}\n", "        a(1);\n        b(2);\n        c(3);\n",
     "    a(1);\n    if (x) {\n        b(2);\n        c(3);\n    }\n",
     "{\n    a(1);\n    if (x) {\n        b(2);\n        c(3);\n    }\n}\n"},
    {"it has a level more, and the last lines go",
     "{\n    {\n        a(1);\n        b(2);\n    }\n\n    last = d;\n    e(4);\n}\n",
     "            a(1);\n            b(2);\n        }\n\n        last = d;",
     "        a(0);\n        b(2);\n", "{\n    {\n        a(0);\n        b(2);\n\n    e(4);\n}\n"},
    {"it has a level more, and one of the ends goes",
     "{\n    {\n        a(1);\n        b(2);\n    }\n}\n",
     "            a(1);\n            b(2);\n        }\n    }\n",
     "        a(1);\n        b(3);\n    }\n", "{\n    {\n        a(1);\n        b(3);\n    }\n"},
    {"it has tabs too many, and the replacement spaces", "f() {\n\ta(1);\n\tb(2);\n\tc();\n}\n",
     "\tf() {\n\t\ta(1);\n\t\tb(2);\n\t\tc();\n\t}\n", "f() {\n    a(1);\n    b(3);\n}\n", NULL},
    {"it has tabs, and the replacement half as many spaces as the file",
     "i {\n    f() {\n        r();\n    }\n}\n", "i {\n\tf() {\n\t\tr();\n\t}\n}",
     "i {\n  f() {\n    r(m);\n  }\n}", NULL},
    {"in both texts, from a line on, but for one of the replacement",
     "f(1);\ng(2, 3);\nimport a;\nimport b;\n", "f(1);\n  g(2, 3);\n  import a;\n  import b;\n",
     "f(1);\ng(2, 4);\nh();\n  import a;\n  import b;\n",
     "f(1);\ng(2, 4);\nh();\nimport a;\nimport b;\n"},
    {"in both texts: a line around goes", "{\n    if (x) {\n        a(1);\n    }\n}\n",
     "        if (x) {\n            a(1);\n        }\n", "        a(1);\n", "{\n    a(1);\n}\n"},
    {"in both texts: a block ends where the file has another", "{\n    a(1);\n    b();\n}\n",
     "        a(1);\n", "        a(2);\n    }\n    {\n", "{\n    a(2);\n}\n{\n    b();\n}\n"},
    {"in both texts, that lost all levels", "def f():\n    a()\n", "def f():\na()\n",
     "def f():\nif x:\n    a()\n", "def f():\n    if x:\n        a()\n"},
    {"in both texts, a level less", "def f():\n    a()\n    b()\n", "a()\nb()\n",
     "if x:\n    a()\n    b()\n", "def f():\n    if x:\n        a()\n        b()\n"},
    /* indentation */
    {"the same lacks everywhere", "class A {\n    f() {\n        a();\n    }\n}\n",
     "f() {\n    a();\n}", "f() {\n    a();\n    if (b) {\n        c();\n    }\n}",
     "class A {\n    f() {\n        a();\n        if (b) {\n            c();\n        }\n    "
     "}\n}\n"},
    {"two for four", "    f() {\n        a();\n    }\n", "f() {\n  a();\n}",
     "f() {\n  if (b) {\n    c();\n  }\n  a();\n}",
     "    f() {\n        if (b) {\n            c();\n        }\n        a();\n    }\n"},
    {"tabs for spaces", "  f() {\n    a();\n  }\n", "\tf() {\n\t\ta();\n\t}\n",
     "\tf() {\n\t\ta();\n\t\tb(\n\t\t\tc);\n\t}\n", "  f() {\n    a();\n    b(\n      c);\n  }\n"},
    {"spaces for tabs", "\tf() {\n\t\ta();\n\t}\n", "  f() {\n    a();\n  }\n",
     "  f() {\n    if (b)\n      a();\n  }\n", "\tf() {\n\t\tif (b)\n\t\t\ta();\n\t}\n"},
    {"two for four, in lines of one depth", "def f():\n    a = 1\n    if x:\n        y()\n",
     "  a = 1\n  if x:\n", "  a = 1\n  if x:\n    z()\n",
     "def f():\n    a = 1\n    if x:\n        z()\n        y()\n"},
    {"two columns lost", "def f():\n    a = 1\n    if x:\n        y()\n", "  a = 1\n  if x:\n",
     "  a = 1\n  if x:\n      z()\n", "def f():\n    a = 1\n    if x:\n        z()\n        y()\n"},
    {"two columns lost of one line", "def f():\n    if x:\n        y()\n", "  if x:\n",
     "  if x:\n      z()\n", "def f():\n    if x:\n        z()\n        y()\n"},
    {"the first line without", "def f():\n    if a:\n        b  = 1\n    return b\n",
     "if a:\n        b = 1\n    return b",
     "if a:\n        b = 1\n    else:\n        c()\n    return b",
     "def f():\n    if a:\n        b  = 1\n    else:\n        c()\n    return b\n"},
    {"only a first line, the others as in the file", "def f():\n    a  = 1\n", "a = 1",
     "if x:\n        a = 1", "def f():\n    if x:\n        a  = 1\n"},
    {"only a first line, the others as if it stood at the margin", "def f():\n    a  = 1\n",
     "a = 1", "if x:\n    a = 1", "def f():\n    if x:\n        a  = 1\n"},
    {"lines that are wrapped", "    a( );\n    b();\n", "a();\nb();",
     "if (x) {\n    a();\n    b();\n}", "    if (x) {\n        a( );\n        b();\n    }\n"},
    {"lines that are unwrapped", "  if (x) {\n    a( );\n  }\n", "if (x) {\n  a();\n}", "a();",
     "  a( );\n"},
    {"a line that goes, the next stays as deep", "<<<<<<<\n  a  b\n=======\n  c\n>>>>>>>\n",
     "<<<<<<<\na b\n=======\nc\n>>>>>>>\n", "a b\n", "  a  b\n"},
    {"a deeper first line", "  a  b\n", "a b", "  a b", "  a  b\n"},
    {"a new first line that is deeper", "  a  b\n", "a b", "  c\na b", "    c\n  a  b\n"},
    {"a first line with its indentation", "x\n    a  b\n", "  a b\n", "  c\n  a b\n",
     "x\n    c\n    a  b\n"},
    {"and other than it was", "x\n    a  b\n    c\n", "  a b\n  c\n", "a b\n    c\n",
     "x\n  a  b\n      c\n"},
    {"lines come out of a block, and the search text has them a step too deep",
     "f:\n    for x:\n        a(x)\n        b(x)\n",
     "        for x:\n            a(x)\n            b(x)\n", "    for x:\n        a(x)\n    b(x)\n",
     "f:\n    for x:\n        a(x)\n    b(x)\n"},
    {"... but for the first", "f:\n    for x:\n        a(x)\n        b(x)\n    c\n",
     "    for x:\n            a(x)\n            b(x)\n        c\n",
     "    for x:\n        a(x)\n    b(x)\n    c\n",
     "f:\n    for x:\n        a(x)\n    b(x)\n    c\n"},
    {"... and the replacement one of them", "f:\n    for x:\n        a(x)\n        b(x)\n    c\n",
     "for x:\n    a(x)\n    b(x)\nc\n", "    for x:\n        a(x)\n    b(x)\n    c\n", NULL},
    {"in the middle of a line", "x = [ a,  b ]\n", "a, b", "  a, c", "x = [   a,  c ]\n"},
    /* a first line that goes, and came without its indentation */
    {"it goes with its indentation", "def f():\n    foo()\n    qux()\nb = 1\n", "foo()\nqux()\n",
     "", "def f():\nb = 1\n"},
    {"what follows it stays as deep", "f:\n    foo()\n    if y:\n        qux()\nb = 1\n",
     "if y:\n    qux()\nb = 1", "b = 1", "f:\n    foo()\nb = 1\n"},
    {"also where it changes", "f:\n    if y:\n        qux()\nb = 1\n", "if y:\n    qux()\nb = 1",
     "b = 2", "f:\nb = 2\n"},
    {"before a shallower line", "a:\n  - b: 1\n    c: 2\n  - d: 3\ne: 4\n", "- b: 1\n  c: 2\n", "",
     "a:\n  - d: 3\ne: 4\n"},
    {"the last of a block", "<ul>\n    <li>a</li>\n    <li>b</li>\n</ul>",
     "<li>a</li>\n<li>b</li>\n", "", "<ul>\n</ul>"},
    {"tabs", "\tx  =  1\ny\n", "x = 1\n", "", "y\n"},
    {"no-break spaces", "\xC2\xA0\xC2\xA0x;\ny\n", "x ;\n", "", "y\n"},
    {"the line alone goes, its ending stays", "x\n  a  b\ny\n", "a b", "", "x\n  \ny\n"},
    {"in the middle of a line", "x; a  b\ny\n", "a b\n", "", "x; y\n"},
    {"its indentation behind it too", "  a  b\n  c\n", "a b\n  ", "", "  c\n"},
    {"an empty line for it", "x\n  a  b\ny\n", "a b\n", "\n", "x\n\ny\n"},
    /* a block comes out as deep as what opens it, and one of the two slipped in the search text */
    {"what opens a block slipped, and comes behind another one",
     "b:\n    c(1)\nif d:\n    e(2)\n    f(3)\n", "    c(1)\n    if d:\n    e(2)\n    f(3)\n",
     "    try:\n        g(4)\n    except h:\n        i(5)\n    if d:\n    e(2)\n    f(3)\n",
     "b:\n    try:\n        g(4)\n    except h:\n        i(5)\nif d:\n    e(2)\n    f(3)\n"},
    {"and what is in it comes deeper", "b:\n    c(1)\nif d:\n    e(2)\n    f(3)\n",
     "    c(1)\n    if d:\n    e(2)\n    f(3)\n",
     "    try:\n        g(4)\n    except h:\n        i(5)\n    if d:\n        e(2)\n        f(3)\n",
     "b:\n    try:\n        g(4)\n    except h:\n        i(5)\n    if d:\n        e(2)\n        "
     "f(3)\n"},
    /* a line that slipped by a step in both texts, below a new block */
    {"stays beside the block", "p:\n    x = 1\n    w()\n\nr:\n    s()\n",
     "    x = 1\n    w()\n\n    r:\n",
     "    x = 1\n    w()\n\n    def t():\n        u()\n\n    r:\n",
     "p:\n    x = 1\n    w()\n\n    def t():\n        u()\n\nr:\n    s()\n"},
    {"also where a brace ends that", "f() {\n    a();\n    b();\n}\nint x;\n",
     "    a();\n    b();\n}\n    int x;\n",
     "    a();\n    b();\n}\ng() {\n    c();\n}\n    int x;\n",
     "f() {\n    a();\n    b();\n}\ng() {\n    c();\n}\nint x;\n"},
    /* what moves with the line above it is as far from that as in the file */
    {"a slip in two blocks that change places",
     "try:\n    if a:\n        k = 1\n    if b:\n        m = 2\n",
     "try:\n    if a:\n    k = 1\n    if b:\n        m = 2\n",
     "try:\n    if b:\n        m = 2\n    if a:\n    k = 1\n",
     "try:\n    if b:\n        m = 2\n    if a:\n        k = 1\n"},
    /* an empty line that the file has not, between what opens a block and what is in it */
    {"a block comes between", "  if n == 'e':\n    yield n\n\nf\n", "if n == 'e':\n\n",
     "if n == 'e':\n\ndef g():\n    return 1\n\n\n", NULL},
    {"or above what is in it", "  f(x) {\n    g(x);\n  }\n", "\n  g(x);\n",
     "\nh(x) {\n  i(x);\n}\n\n  g(x);\n", NULL},
    {"another key", "a:\n    b: 1\nc: 2\n", "a:\n\n", "a:\n\nd: 3\n\n", NULL},
    {"below a deeper line", "  x:\n      y\na:\n    b: 1\nc: 2\n", "a:\n\n", "a:\n\nd: 3\n\n",
     NULL},
    {"what is as deep as the block may come there", "a:\n    b( )\nc\n", "a:\n\n",
     "a:\n    d()\n\n", "a:\n    d()\n    b( )\nc\n"},
    {"so may what opens it anew", "a {\n    b;\n}\n", "a {\n\n", "a {\n\np:\n",
     "a {\np:\n    b;\n}\n"},
    {"and a directive", "a {\n    b;\n}\n", "a {\n\n", "a {\n#pragma p\n\n",
     "a {\n#pragma p\n    b;\n}\n"},
    {"what is in it slipped, and comes out of what goes",
     "class A:\n    def f(self):\n        return g(1)\n",
     "class A:\ndef f(self):\n    return g(1)\n", "class A:\nreturn g(1)\n", NULL},
    {"both stand as in the file", "if a:\n  if b( ):\n    c(1)\n", "if a:\n  if b():\n    c(1)\n",
     "if a:\n  if b():\n  c(1)\n", "if a:\n  if b( ):\n  c(1)\n"},
    {"blanks for it", "x\n  a  b\ny\n", "a b\n", "  ", NULL},
    {"an empty line first", "f:\n    foo( )\n    qux()\n", "foo()\nqux()\n", "\nqux()\n",
     "f:\n\n    qux()\n"},
    {"a line ending that goes too", "f:\n    if y:\n        q( )\nb\n",
     "\n    if y:\n        q()\nb", "\nb", "f:\nb\n"},
    {"a first line with indentation goes", "\tif y:\n\t\tq( )\nb\n", "  if y:\n    q()\nb", "b",
     "b\n"},
    {"deeper than what stays, in the caller's text as well", "        a( )\n      b\n      c\n",
     "a()\n      b\n      c", "b\n      c", "      b\n      c\n"},
    {"the replacement's first indentation is lost too", "      if a:\n        b( )\n      c\n",
     "if a:\n        b()\n      c", "c", "      c\n"},
    {"new lines in its place, indented", "f:\n    if y:\n        q( )\nb\n",
     "if y:\n        q()\nb", "    zed\nb", "f:\n    zed\nb\n"},
    {"unwrapped lines that the file has joined", "  if y: q( ); z()\n", "if y:\n  q();\n  z()",
     "q();\nz()", "  q( ); z()\n"},
    {"unwrapped, or its indentation lost?", "  if y:\n    q( )\n    z()\n",
     "if y:\n    q()\n    z()", "q()\n    z()", NULL},
    {"new, as deep as which of two?", "f:\n    if y:\n        q( )\nb = 1\n",
     "if y:\n    q()\nb = 1", "c + 2\nb = 1", NULL},
    {"the second line of a block of unknown depth", "f:\n    if  y:\nb = 1\n", "if y:\nb = 1",
     "if y:\n    q()\nb = 1", NULL},
    /* gaps */
    {"a line between two", "a\nb  c\n", "a\nb c\n", "a\nnew\nb c\n", "a\nnew\nb  c\n"},
    {"above an empty line that the file has", "a\n\nb  c\n", "a\nb c\n", "a\nnew\nb c\n",
     "a\nnew\n\nb  c\n"},
    {"below it where the caller has it above", "a\n\nb  c\n", "a\n\nb c\n", "a\n\nnew\nb c\n",
     "a\n\nnew\nb  c\n"},
    {"with empty lines of its own", "a\n\nb  c\n", "a\n\nb c\n", "a\n\nnew\n\nb c\n",
     "a\n\nnew\n\nb  c\n"},
    {"behind the last", "a\nb  c\n", "a\nb c\n", "a\nb c\nnew\n", "a\nb  c\nnew\n"},
    {"behind the last without line ends", "a\nb  c", "a\nb c", "a\nb c\nnew", "a\nb  c\nnew"},
    {"before the first", "a  b\nc\n", "a b\n", "new\na b\n", "new\na  b\nc\n"},
    {"empty lines put in", "a\nb  c\n", "a\nb c\n", "a\n\n\nb c\n", "a\n\n\nb  c\n"},
    {"empty lines put in where the file has one", "a\n\nb  c\n", "a\nb c\n", "a\n\nb c\n",
     "a\n\nb  c\n"},
    {"empty lines taken out", "a\n\n\nb  c\n", "a\n\n\nb c\n", "a\nb c\n", "a\nb  c\n"},
    {"one of two taken out", "a\n\n\nb  c\n", "a\n\n\nb c\n", "a\n\nb c\n", "a\n\nb  c\n"},
    {"taken out where the file has none", "a\nb  c\n", "a\n\nb c\n", "a\nb c\n", "a\nb  c\n"},
    {"lines joined", "a\n  b  c\n", "a\n  b c\n", "a b c\n", "a b  c\n"},
    {"a line parted", "a  b\n", "a b\n", "a\nb\n", "a\nb\n"},
    {"no blank where the file has one", "f (a)\n", "f(a)", "f(a, b)", "f (a, b)\n"},
    {"before a bracket, behind a new word", "g (a);\n", "g(a);", "h(a);", "h (a);\n"},
    {"what stood behind a blank goes", "void f (int a) {\n", "void f(int a){", "int main(void);",
     "int main(void);\n"},
    {"a sign comes before it", "int x  = 1 ;\n", "int x = 1;", "int x = 1, y;",
     "int x  = 1, y ;\n"},
    {"a gap that is repeated twice", "a\n\nb  c\n", "a\nb c\n", "a\nx\ny\nb c\n",
     "a\nx\ny\n\nb  c\n"},
    {"only blanks are left", "x\na  b\ny\n", "a b\n", "\n\n", "x\n\n\ny\n"},
    {"trailing blanks of new lines", "a\nb  c\n", "a\nb c\n", "a\nnew  \nb c\n",
     "a\nnew  \nb  c\n"},
    {"which the search text has wrong", "a\nb  c\n", "a  \nb c\n", "a  \nnew  \nb c\n",
     "a\nnew\nb  c\n"},
    {"of a line that changes", "a\nb = 1  \nc  d\n", "a\nb = 1\nc d\n", "a\nb = 2\nc d\n",
     "a\nb = 2  \nc  d\n"},
    {"in empty lines", "a  b\n\nc\n\nd\n", "a b\n  \nc\n\nd", "a b\n  \n\nd", "a  b\n\n\nd\n"},
    {"in new ones", "a  b\n\nc\n", "a b\n  \nc", "a b\n  \nnew\n  \n  \nc", "a  b\n\nnew\n\n\nc\n"},
    {"in the file's empty lines, and what stood between them goes", "a  b\n \t\nc\n  \n\nd\n",
     "a b\n\nc\n\n\nd", "a b\n\n\n\nd", "a  b\n \t\n  \n\nd\n"},
    /* line endings */
    {"CRLF", "a\r\nb  c\r\n", "a\nb c\n", "a\nnew\nb c\n", "a\r\nnew\r\nb  c\r\n"},
    {"CR", "a\rb  c\r", "a\nb c\n", "a\nnew\nb c\n", "a\rnew\rb  c\r"},
    {"CRLF in the caller's texts", "a\nb  c\n", "a\r\nb c\r\n", "a\r\nnew\r\nb c\r\n",
     "a\nnew\nb  c\n"},
    {"the file's where the place has none", "x\r\na  b", "a b", "a b\nnew", "x\r\na  b\r\nnew"},
    {"a CR that the search text has none of", "\tf( \"x\" );\n", "f(\"x\");", "g(\"\r\");",
     "\tg(\"\r\" );\n"},
    {"CRLFs that it has none of", "a( b );\n", "a(b);", "c;\r\nd;\r\na(b);",
     "c;\r\nd;\r\na( b );\n"},
    {"between two lines that stay", "a( b );\nc\n", "a(b);\nc\n", "a(b);\r\n\r\nc\n",
     "a( b );\n\r\nc\n"},
    {"mixed", "a\r\nb\nc  d\r\n", "a\nb\nc d\n", "a\nB\nnew\nc d\n", "a\r\nB\r\nnew\nc  d\r\n"},
    {"mixed, a line behind one that stays", "a  b\nc\r\nd\ne\n", "a b\nc\nd", "a b\nc\nnew\nd",
     "a  b\nc\r\nnew\r\nd\ne\n"},
    {"two lines", "a  b\nc\r\nd\ne\n", "a b\nc\nd", "a b\nc\nnew\nother\nd",
     "a  b\nc\r\nnew\r\nother\r\nd\ne\n"},
    {"behind one that changes", "a  b\nc = 1\r\nd\ne\n", "a b\nc = 1\nd", "a b\nc = 2\nnew\nd",
     "a  b\nc = 2\r\nnew\r\nd\ne\n"},
    {"behind the last", "a  b\nc\r\nd\n", "a b\nc\n", "a b\nc\nnew\n", "a  b\nc\r\nnew\r\nd\n"},
    {"mixed, blanks behind lines go", "a (b\n\r\nc d.\r\n\ne\r\nf\n", "a (b  \n  \nc d.  \n  \ne  ",
     "a (b\n\nc d.\n\nnew;", "a (b\n\r\nc d.\r\n\nnew;\r\nf\n"},
    {"mixed, the replacement stands as the file does", "f:\n    a\n    b\r\n    c\r\n",
     "  f:\n      a\n      b\n", "f:\n    b\n", "f:\n    b\r\n    c\r\n"},
    {"and a line comes", "f:\n    a\r\n    b\n    c\r\n", "  f:\n      a\n      b\n",
     "f:\n    a\n    d\n    b\n", "f:\n    a\r\n    d\r\n    b\n    c\r\n"},
    {"no ending at the end", "a\nb  c", "b c\n", "b d\n", "a\nb  d"},
    {"nor behind a new line", "a\nb  c", "b c\n", "b c\nnew\n", "a\nb  c\nnew"},
    {"an empty line with blanks in it", "a\nb  c\n", "a\nb c\n", "a\n  \nnew\nb c\n",
     "a\n  \nnew\nb  c\n"},
    {"empty lines that the file has filled", "a\n\xC2\xA0\n\nb  c\n", "a\n\n\nb c\n", "a\nb c\n",
     "a\n\xC2\xA0\n\nb  c\n"},
    {"indentation behind the last line", "  a  b\n  c\n", "a b\n    ", "a d\n    ",
     "  a  d\n  c\n"},
    {"a line ending first", "x;a  b\n", "a b", "\na b", "x;\na  b\n"},
    {"which stands there already", "x\n  a  b\n", "a b", "\na b", "x\n  a  b\n"},
    {"an empty line before whole lines", "x\n  a  b\ny\n", "  a b\n", "\n  a c\n",
     "x\n\n  a  c\ny\n"},
    {"an empty line that is there", "x\n\n  a  b\ny\n", "  a b\n", "\n  a c\n", "x\n\n  a  c\ny\n"},
    {"an empty line at the start", "a  b\ny\n", "a b\n", "\na c\n", "\na  c\ny\n"},
    /* empty lines first, that have blanks in the file or the search text */
    {"they go with what follows", "a\n    \n    b  c\n    d\n", "    \n    b c\n", "",
     "a\n    d\n"},
    {"they alone stay", "a\n    \n    b  c\n    d\n", "\n    b c\n", "\n", "a\n    \n    d\n"},
    {"one of two stays", "a\n  \n\t\n    b  c\nd\n", "\n\n    b c\n", "\n", "a\n  \nd\n"},
    {"and one comes", "a\n  \n    b  c\nd\n", "\n    b c\n", "\n\n", "a\n  \n\nd\n"},
    {"the file has none, and nothing else comes", "a\n    b  c\nd\n", "\n    b c\n", "\n",
     "a\nd\n"},
    {"they alone go", "a\n    \n    b  c\n", "    \n    b c\n", "    b c\n", "a\n    b  c\n"},
    {"they stay", "a\n    \n    b  c\n", "\n    b c\n", "\n    b d\n", "a\n    \n    b  d\n"},
    {"the replacement has other blanks there", "a\n\n    b  c\n", "\n    b c\n", "    \n    b d\n",
     "a\n\n    b  d\n"},
    {"what follows goes", "a\n    \n    b  c\n    d  e\n", "\n    b c\n    d e\n", "\n    d e\n",
     "a\n    \n    d  e\n"},
    {"one comes", "a\n  \n  b  c\n", "\n  b c\n", "\n\n  b c\n", "a\n  \n\n  b  c\n"},
    {"a line comes before them", "a\n  \n  b  c\n", "\n  b c\n", "  d\n\n  b c\n",
     "a\n  d\n  \n  b  c\n"},
    {"a line comes behind them", "a\n  \n  b  c\n", "\n  b c\n", "\n  d\n  b c\n",
     "a\n  \n  d\n  b  c\n"},
    {"the second of two goes", "a\n\n  \n  b  c\n", "  \n  b c\n", "  b d\n", "a\n\n  b  d\n"},
    {"or is it gone already?", "a\n\n  \n  b  c\n", "  \n  b c\n", "  b c\n", NULL},
    {"or comes with other quotes?", "a  {\n  “b c”\n}\n", "\n    “b c”\n", "\n\n    \"b c\"\n",
     NULL},
    {"other quotes alone", "a  = “b c”;\n", "a = “b c”;\n", "a = \"b c\";\n", "a  = \"b c\";\n"},
    {"a text of blanks that are no-break spaces", "a\n" NB " \nb\n", NB "\n", "\t\n", "a\n\t\nb\n"},
    {"the file has none", "a\n  b  c\n  d\n", "\n  b c\n", "", "a\n  d\n"},
    {"none, and a line stays", "a\n  b  c\n", "  \n  b c\n", "  b d\n", "a\n  b  d\n"},
    {"none, and the search text has two", "a\n  b  c\n", "\n\n  b c\n", "  b d\n", "a\n  b  d\n"},
    {"none, and the replacement has one with fewer blanks", "a\nb  c\nd\n", "  \nb c\n", "\ne c\n",
     "a\ne  c\nd\n"},
    {"none, and all is new", "a\n  b  c\nd\n", "    \n  b c\n", "\n  e\n", "a\n  e\nd\n"},
    {"none, and the replacement has one of three", "a\nb  c\nd\n", "  \n  \n  \nb c\n", "\ne\n",
     "a\ne\nd\n"},
    {"none, and a line comes before it", "a\nb  c\n", "  \nb c\n", "d\n  \nb c\n", "a\nd\nb  c\n"},
    {"none, and a line comes before one of two", "b  c\n", "  \n \nb c\n", "d\n\nb c\n",
     "d\nb  c\n"},
    {"one of two, and a line comes", "a\n\nb  c\n", "  \n  \nb c\n", "d\n\n\nb c\n",
     "a\nd\n\nb  c\n"},
    {"none, and a line comes between it and another", "a\nb  c\n", "  \nb c\n", "\nd\n\nb c\n",
     "a\nd\n\nb  c\n"},
    {"none, and the first line goes", "a\nb  c\nd\n", "  \n  \nb c\nd\n", "\nd\n", "a\nd\n"},
    {"none, and one more comes", "a\nb  c\n", "  \nb c\n", "d\n\n\nb c\n", "a\nd\n\n\nb  c\n"},
    {"none, and only that stays", "a\nb  c\nd\n", "  \nb c\n", "\n", "a\nd\n"},
    {"one, and only that stays", "a\n \nb  c\nd\n", "  \nb c\n", "\n", "a\n \nd\n"},
    {"none, and one more stays", "a\nb  c\nd\n", "  \nb c\n", "\n\n", "a\n\n\nd\n"},
    {"none, and two lines are to be one", "if a\n{  b\n", "\n{ b\n", " { c\n", "if a {  c\n"},
    /* a line ending that the replacement lacks at its end */
    {"behind what stays", "a  b\nc\n", "a b\n", "d b", "d  b\nc\n"},
    {"behind what is new", "a  b\nc\n", "a b\n", "a d", "a  d\nc\n"},
    {"an empty line behind it stays", "a  b\n\n\nc\n", "a b\n", "a d", "a  d\n\nc\n"},
    {"before the end of the file", "a  b\n", "a b\n", "a d", "a  d"},
    {"with CRs", "a  b\r\n;c\r\n", "a b\n", "a d", "a  d\r\n;c\r\n"},
    /* the search text goes on in the next line, which is to be joined then */
    {"with a blank for it", "a  b\n\tc\n", "a b\n    ", "a d ", "a  d c\n"},
    {"all of its blanks", "  a  b\n    c\n", "a b\n  ", "a b ", "  a  b c\n"},
    {"to a sign", "a  b\r\n  ;c\r\n", "a b\n  ", "a d", "a  d;c\r\n"},
    {"two words would be one", "a  b\n  c\n", "a b\n  ", "a d", "a  d\n  c\n"},
    {"but where the lines stay apart", "a  b\n\tc\n", "a b\n    ", "a d\n", "a  d\n\tc\n"},
    {"or all goes", "a  b\n\tc\n", "a b\n    ", "", "\tc\n"},
    {"there is no next line", "x\na  b\n", "a b\n  ", "a d", "x\na  d"},
    /* the file begins or ends there, which joins nothing */
    {"new lines behind its last", "a  = 1\nb  = 2", "b = 2\n", "b = 2\nnew\nc = 3",
     "a  = 1\nb  = 2\nnew\nc = 3"},
    {"the last one moved", "a  = 1\nb  = 2", "a = 1\nb = 2\n", "b = 2\nz = 3\na = 1",
     "b  = 2\nz = 3\na  = 1"},
    {"a new line before its first", "a  = 1\nb\n", "\na = 1", "new\na = 1", "new\na  = 1\nb\n"},
    {"an empty line before a first line without indentation", "{\n  a( );\n  b;\n    c;\n}\n",
     "a();\nb;\n  c;", "\nz();\na();\nb;\n  c;", "{\n\n  z();\n  a( );\n  b;\n    c;\n}\n"},
    {"and before one that comes for it", "{\n  a( );\n  b;\n}\n", "a();\nb;", "\nz = 1;\nb;",
     "{\n\n  z = 1;\n  b;\n}\n"},
    /* an empty line, or the ending of the line before, that the search text alone begins with */
    {"the first line lost its indentation", "f:\n    # c\n    a = 1\n    b = 2\nd\n",
     "\na = 1\n    b = 2", "    a = 3\n    b = 2", "f:\n    # c\n    a = 3\n    b = 2\nd\n"},
    {"that of the replacement, too", "f:\n    # c\n    a = 1\n    b = 2\nd\n",
     "\na = 1\n    b = 2\n", "a = 1\n    b = 3\n", "f:\n    # c\n    a = 1\n    b = 3\nd\n"},
    {"the same behind blanks", "f:\n    # c\n    a = 1\n    b = 2\nd\n", " \na = 1\n    b = 2\n",
     "a = 1\n    b = 3\n", "f:\n    # c\n    a = 1\n    b = 3\nd\n"},
    {"tabs for spaces, and a new line", "{\n  a: 1,\n  b: 2,\n  c: 3\n}\n", "\n\tb: 2,\n\tc: 3",
     "  n: 0,\n  b: 2,\n  c: 3", "{\n  a: 1,\n  n: 0,\n  b: 2,\n  c: 3\n}\n"},
    {"it comes behind new lines", "f:\n    x\n    a = 1\n    b = 2\n", "\na = 1\n    b = 2",
     "    n = 0\n\n    a = 1\n    b = 2", "f:\n    x\n    n = 0\n    a = 1\n    b = 2\n"},
    {"lines are joined", "if (x)\n  {\n    a;\n  }\n", "\n{\n    a;", " {\n    b;",
     "if (x) {\n    b;\n  }\n"},
    {"but none to a comment", "// if\n  {\n    a;\n  }\n", "\n{\n    a;", " {\n    b;", NULL},
    {"a comment behind the line before", "x;\n    a  = 1\n    b = 2\n", "\n    a = 1",
     "  # n\n    a = 1", "x;  # n\n    a  = 1\n    b = 2\n"},
    {"joined, or without indentation?", "f:\n    x;\n    a  = 1\n    b = 2\n",
     "\n    a = 1\n    b = 2", "a = 1\n    b = 3", NULL},
    {"an empty line of the file goes", "f:\n\n    a  = 1\n    b = 2\n", "\n    a = 1\n    b = 2",
     "    a = 3\n    b = 2", "f:\n    a  = 3\n    b = 2\n"},
    {"and it is not clear how deep the next is", "f:\n\n    a  = 1\n    b = 2\n",
     "\na = 1\n    b = 2", "a = 1\n    b = 3", NULL},
    {"an empty line with blanks, that the search text alone ends with",
     "f()\n{\n    a = 0;\n    c(1);\n}\n", "{ \n    a = 0;\n ", "{ \n    a = 5;",
     "f()\n{\n    a = 5;\n    c(1);\n}\n"},
    {"lines that are joined at the end", "f(  a,\n        b);\n", "f(a,\n    ", "f(a, ",
     "f(  a, b);\n"},
    /* what is not sound */
    {"deeper than the line before, which it is not for the caller", "w;\nx;\n\t\t\t\ty;\n",
     "  w;\n  x;\n  y;\n", "  w;\n  x;\n  new;\n  y;\n", NULL},
    {"one step deeper, or not", "w;\nx;\n\ty;\n", "  w;\n  x;\n  y;\n",
     "  w;\n  x;\n  new;\n  y;\n", NULL},
    /* the replacement stands as the file's lines do, and the search text does not */
    {"all begin with a line ending", "if a:\n        b()\n        c()\nd\n", "\nb()\nc()\n",
     "\n        b()\n        n()\n        c()\n",
     "if a:\n        b()\n        n()\n        c()\nd\n"},
    {"the file lacks its last line ending", "a {\n    b: 0;\n    c: 1px;\n}",
     "\t    c: 1px;\n\t}\n", "    n: 1;\n    c: 1px;\n}\n",
     "a {\n    b: 0;\n    n: 1;\n    c: 1px;\n}"},
    {"it lacks the last line ending", "if a:\n    b()\n    c()\nd\n", "b()\nc()\n",
     "    b()\n    n()\n    c()", "if a:\n    b()\n    n()\n    c()\nd\n"},
    {"it has a line ending more", "if a:\n    b()\n    c()\nd\n", "b()\nc()",
     "    b()\n    n()\n    c()\n", "if a:\n    b()\n    n()\n    c()\nd\n"},
    {"the line goes that opens their block",
     "f:\n        if a:\n            b()\n            c()\n        d\n",
     "if a:\n    b()\n    c()\n", "            b()\n            c()\n",
     "f:\n            b()\n            c()\n        d\n"},
    {"it goes, and the search text has a tab too many",
     "f:\n        if a:\n            b()\n            c()\n        d\n",
     "\t        if a:\n\t            b()\n\t            c()\n",
     "            b()\n            c()\n", "f:\n            b()\n            c()\n        d\n"},
    {"it goes, and they with it",
     "f:\n        if a:\n            b()\n            c()\n        d\n",
     "            if a:\n                b()\n                c()\n",
     "            b()\n            c()\n", "f:\n        b()\n        c()\n        d\n"},
    {"a line comes that opens a block for one", "c:\n    f:\n        b()\n        c()\n",
     "    b()\n    c()\n", "    if a:\n        b()\n    c()\n",
     "c:\n    f:\n        if a:\n            b()\n        c()\n"},
    {"a tab too many before all lines, and before no new one", "if a {\n    if b {\n        c();\n",
     "\t    if b {\n\t        c();\n", "    if n {\n        if b {\n            c();\n", NULL},
    {"two blanks too many, and a line less deep", "if a {\n  b();\n", "    b();\n", "    b();\n}\n",
     "if a {\n  b();\n}\n"},
    {"its quotes would become the file's", "    a = \"b\"\n    c = 2\n    d = 3\n",
     "a = 'b'\nc = 2", "    a = \"b\"\n    n = 'b'\n    c = 2", NULL},
    /* a first line that came bare, and others as in the file */
    {"before them comes what opens a block, and what it holds",
     "def f(a):\n    load(a)\n    return a\n", "load(a)\nreturn a\n",
     "if not a:\n        return None\n    load(a)\n    return a\n", NULL},
    {"behind an empty line, and a new one comes before it, bare, too",
     "class A:\n    def f(self):\n        b(1,  2)\n\n    def g(self):\n        d()\n",
     "\nb(1, 2)\n\n    def g(self):\n", "\nlog(1)\n        b(1, 2)\n\n    def g(self):\n",
     "class A:\n    def f(self):\n        log(1)\n        b(1,  2)\n\n    def g(self):\n"
     "        d()\n"},
    {"that goes, and the search text has the others a step too deep",
     "def f(a):\n    if not a:\n        return None\n    load(a)\n    return a\n",
     "if not a:\n            return None\n        load(a)\n        return a\n",
     "load(a)\n    return a\n", NULL},
    {"... and the other only ends a block", "x = {\n    a: {b: 'c'},\n  },\n",
     "a: {b: 'c'},\n    },\n", "a: {d: 'c'},\n  },\n", NULL},
    {"new lines before it, which would part", "def f(a):\n    x = l(a)\n    y = s(x)\n",
     "x = l(a)\n        y = s(x)\n", "    log(a)\n    check(a)\nx = l(a)\n        y = s(x)\n",
     NULL},
    /* blocks that end in words */
    {"a new one of Ruby has lost all depth", "  bm do |x|\n    x.r(1)\n    x.r(2)\n  end\n",
     "x.r(1)\nx.r(2)\nend\n", "x.r(1)\nif z\ny(1)\nend\nx.r(2)\nend\n", NULL},
    {"... or would lose it, with a line that slipped", "  bm do |x|\n    a(1)\n    b(2)\n  end\n",
     "    a(1)\n      b(2)\n", "    if z\n      y(2)\n    end\n    a(1)\n      b(2)\n", NULL},
    /* depths that tell, and some that do not */
    {"an item goes, beneath which the next key was taken to be", "- a: 1\nx: b\ny: e\n",
     "- a: 1\n  x: b\n", "x: b\n", "x: b\ny: e\n"},
    {"is the item one of the list that goes?", "y: x\nd:\n\t- y: 1\n\t- d\n- x: 2\n",
     "d:\n- y: 1\n- d\n- x: 2\n", "d:\n- x: 2\n", NULL},
    {"a line that comes behind the end of a block",
     "x();\nif (d) {\n\tb = f +\n\t\tg;\n\tcase r:\n}\nb = c +\n\tz;\na = x;\n",
     "case r:\n}\nb = c +\nz;\na = x;\n", "case r:\n}\n  s:\nb = c +\nz;\n",
     "x();\nif (d) {\n\tb = f +\n\t\tg;\n\tcase r:\n}\n\ts:\nb = c +\n\tz;\n"},
    {"by how much is the last line to be deeper?", "d = f +\n  a;\nb = r +\n  z;\n// c\n",
     "a;\nb = r +\n z;\n", "a;\nb = r +\n   z;\n", NULL},
    /* what opens a block goes, and the search text has all a step less deep than the file */
    {"lines come as deep as that is in the file, or are to stay",
     "f {\n    if (a) {\n        b();\n        c();\n    }\n    d();\n}\n",
     "if (a) {\n    b();\n    c();\n}\n", "    b();\n    c();\n", NULL},
    /* lines that stand deeper than a step, as aligned ones do */
    {"a line that changes is aligned, and the search text has it less deep",
     "int f(void)\n{\n    return call(first,\n                second);\n}\n",
     "    return call(first,\n        second);\n", "    return call(first,\n        third);\n",
     "int f(void)\n{\n    return call(first,\n                third);\n}\n"},
    {"... or with no indentation", "if a:\n  x = 1\nif b:\n    x = 2\n    y = 3\n", "if b:\nx = 2",
     "if b:\nx = 5", "if a:\n  x = 1\nif b:\n    x = 5\n    y = 3\n"},
    {"... and a new line with it", "def f():\n    pass\n\nresult = call(first,\n        second)\n",
     "result = call(first,\n    second)", "result = call(first,\n    second,\n    third)",
     "def f():\n    pass\n\nresult = call(first,\n        second,\n        third)\n"},
    {"... in tabs", "def f():\n\tpass\nx = call(a,\n\t\tb)\n", "x = call(a,\n\tb)",
     "x = call(a,\n\tc)", "def f():\n\tpass\nx = call(a,\n\t\tc)\n"},
    {"another line slipped", "def f():\n    pass\n\nclass E(\n             I):\n    c = 1\n",
     " class E(\n             I):\n", " class E(\n             z):\n",
     "def f():\n    pass\n\nclass E(\n             z):\n    c = 1\n"},
    {"... and where it belongs is whole steps away",
     "if s > 94:\n        p = o(98)\n# a note\nj(l,\n    h + 58)\n", "    j(l, \n    h + 58) ",
     "    j(l, \n    z + 58) ", "if s > 94:\n        p = o(98)\n# a note\nj(l,\n    z + 58)\n"},
    /* steps by how deep the search text is in the file */
    {"twelve columns are three steps, and so are six",
     "class A:\n  def f(self):\n    if a:\n      x = 1\n", "            x = 1\n",
     "            x = 1\n        return x\n",
     "class A:\n  def f(self):\n    if a:\n      x = 1\n    return x\n"},
    {"... and sixteen are four, as tabs",
     "class A:\n\tdef f(self):\n\t\tfor a in b:\n\t\t\tif a:\n\t\t\t\tx = 1\n",
     "                x = 1\n", "                x = 1\n            y = 2\n",
     "class A:\n\tdef f(self):\n\t\tfor a in b:\n\t\t\tif a:\n\t\t\t\tx = 1\n\t\t\ty = 2\n"},
    {"eight columns are a tab, where all is in such steps and the first line came bare",
     "class A:\n\tdef f():\n\t\ta()\n\t\tb()\n\tz()\n", "a()\n                b()\n",
     "if e:\n                        a()\n                b()\n",
     "class A:\n\tdef f():\n\t\tif e:\n\t\t\ta()\n\t\tb()\n\tz()\n"},
    {"three columns are one step of two, where a block is three deeper",
     "if a:\n  b()\n  c( )\nd()\n", "   b()\n   c()\n", "   b()\n   if e:\n      c()\n",
     "if a:\n  b()\n  if e:\n    c( )\nd()\n"},
    {"... also where the line is all there is", "if a:\n  b()\n  c( )\nd()\n", "   c()\n",
     "   if e:\n      c()\n", "if a:\n  b()\n  if e:\n    c( )\nd()\n"},
    {"... and five one of four", "if a:\n    b()\n    c( )\nd()\n", "     b()\n     c()\n",
     "     b()\n     if e:\n          c()\n", "if a:\n    b()\n    if e:\n        c( )\nd()\n"},
    {"... where the outer block goes, and most lines are as deep as in the file",
     "if a:\n  if b:\n    if c:\n      d( )\n      g()\n      h()\n      i()\n    e()\n  f()\n",
     "if b:\n   if c:\n      d()\n      g()\n      h()\n      i()\n   e()\nf()\n",
     "if c:\n   d()\n   g()\n   h()\n   i()\ne()\nf()\n",
     "if a:\n  if c:\n    d( )\n    g()\n    h()\n    i()\n  e()\n  f()\n"},
    {"... behind a first line that came bare", "if a:\n    b()\n    c( )\nd()\n", "b()\n   c()\n",
     "if e:\n      b()\n   c()\n", "if a:\n    if e:\n        b()\n    c( )\nd()\n"},
    {"a first line that came bare tells no step where it is repeated",
     "class A {\n  g() {\n    x = 1;\n  }\n\n  f(a,  b) {\n    return a;\n  }\n}\n",
     "f(a, b) {\n        return a;\n",
     "b() {\n        return 1;\n    }\n\nf(a, b) {\n        return a;\n",
     "class A {\n  g() {\n    x = 1;\n  }\n\n  b() {\n    return 1;\n  }\n\n  f(a,  b) {\n    "
     "return "
     "a;\n  }\n}\n"},
    /* all of the search text is a line that came bare */
    {"lines as in the file, since one ends its block",
     "f {\n    if (x) {\n        b(1, 2);\n    }\n}\n", "b(1,2);",
     "b(1,2);\n    } else {\n        c();",
     "f {\n    if (x) {\n        b(1, 2);\n    } else {\n        c();\n    }\n}\n"},
    {"... as one is as deep as that is", "{\n    s = {\n        .u = 1,\n        .g =  2,\n}\n",
     ".g = 2,\n", ".g = 2,\n        .m = 3,\n    };\n    return 0;\n",
     "{\n    s = {\n        .u = 1,\n        .g =  2,\n        .m = 3,\n    };\n    return "
     "0;\n}\n"},
    {"... as one comes back to where none was", "def f():\n    if  a:\n        pass\n", "if a:\n",
     "if a:\n        b()\n        return 1\n    return 0\n\nx = 1\n",
     "def f():\n    if  a:\n        b()\n        return 1\n    return 0\n\nx = 1\n        pass\n"},
    {"... as one is aligned", "f {\n    if (x)\n        call(a,  1,\n             2);\n    y;\n",
     "call(a, 1,", "call(a, 1,\n             3);\n    else\n        call(b, 1,",
     "f {\n    if (x)\n        call(a,  1,\n             3);\n    else\n        call(b, 1,\n       "
     "      "
     "2);\n    y;\n"},
    {"... before the line itself", "class A:\n    def f(self,  a):\n        return a\n",
     "def f(self, a):", "def b(self):\n        return 1\n\n    z = 3\n\ndef f(self, a):",
     "class A:\n    def b(self):\n        return 1\n\n    z = 3\n\n    def f(self,  a):\n        "
     "return a\n"},
    {"nothing tells where a tag comes less deep than it, and deeper than the margin",
     "<ul>\n    <li>\n        <a href='x'>one</a>\n    </li>\n</ul>\n", "<a href=\"x\">one</a>",
     "<a href=\"x\">one</a>\n    </li>\n    <li>\n        <a href=\"y\">two</a>", NULL},
    {"... in the midst of a comment", "/* a\n * b  c. */\nx;\n", "* b c. */", "* b c. */\nint y;",
     NULL},
    /* what comes for a line */
    {"the first one comes as deep as that is", "        yield\n    @s\n",
     "            yield\n    @s", "        z\n    @s", "        z\n    @s\n"},
    {"... with its signs",
     "sub f {\n    if (a) {\n\tb();\n    }\n    else {\n\tcroak();\n    }\n}\n",
     "            else {\n\tcroak();\n", "    elsif (b) {\n\tcroak();\n",
     "sub f {\n    if (a) {\n\tb();\n    }\n    elsif (b) {\n\tcroak();\n    }\n}\n"},
    {"a line behind one that has left its block",
     "if m:\n  j = 1\nf = o(96)\nif d:\n    o = 18\nc = 1\n", "f = o(96)\nif d:\n  o = 18\n",
     "x = o(96)\nif d:\n    o = 19\n", "if m:\n  j = 1\nx = o(96)\nif d:\n    o = 19\nc = 1\n"},
    /* units and depths */
    {"a line as deep as the first, which came without its indentation",
     "def main():\n\ta(1)\n\tif x:\n\t\tc(3)\n\td(4)\n", "if x:\n    c(3)\n",
     "if x:\n    c(3)\nelse:\n    e(5)\n",
     "def main():\n\ta(1)\n\tif x:\n\t\tc(3)\n\telse:\n\t\te(5)\n\td(4)\n"},
    {"... two columns for four",
     "def main():\n    a(1)\n    b(2)\n    if x:\n        c(3)\n    d(4)\n", "if x:\n  c(3)\n",
     "if x:\n  c(3)\nelse:\n  e(5)\n",
     "def main():\n    a(1)\n    b(2)\n    if x:\n        c(3)\n    else:\n        e(5)\n    "
     "d(4)\n"},
    {"... a tab for four", "def main():\n    a(1)\n    b(2)\n    if x:\n        c(3)\n    d(4)\n",
     "if x:\n\tc(3)\n", "if x:\n\tc(3)\nelse:\n\te(5)\n",
     "def main():\n    a(1)\n    b(2)\n    if x:\n        c(3)\n    else:\n        e(5)\n    "
     "d(4)\n"},
    {"... behind an empty line",
     "class A:\n\tdef f(self):\n\t\treturn 1\n\n\tdef h(self):\n\t\treturn 3\n",
     "def f(self):\n    return 1\n", "def f(self):\n    return 1\n\ndef g(self):\n    return 2\n",
     "class A:\n\tdef f(self):\n\t\treturn 1\n\n\tdef g(self):\n\t\treturn 2\n\n\tdef "
     "h(self):\n\t\treturn 3\n"},
    {"... that leaves a block", "def main():\n\tif s:\n\t\tbeta(1)\n\t\tomega(2)\n\tend()\n",
     "if s:\n    beta(1)\n    omega(2)\n", "beta(1)\nomega(2)\n",
     "def main():\n\tbeta(1)\n\tomega(2)\n\tend()\n"},
    {"... another key", "jobs:\n    build:\n        steps: 1\n    test:\n        steps: 2\n",
     "build:\n  steps: 1\n", "build:\n  steps: 1\nlint:\n  steps: 3\n",
     "jobs:\n    build:\n        steps: 1\n    lint:\n        steps: 3\n    test:\n        steps: "
     "2\n"},
    {"... the end of what was put around it",
     "def main():\n    a(1)\n    b(2)\n    if x:\n        c(3)\n    d(4)\n", "if x:\n  c(3)\n",
     "try:\n  if x:\n    c(3)\nexcept E:\n  pass\n",
     "def main():\n    a(1)\n    b(2)\n    try:\n        if x:\n            c(3)\n    except E:\n  "
     "      pass\n    d(4)\n"},
    {"... with a line that is aligned", "def main():\n\tif x:\n\t\tc(3)\n\td(4)\n",
     "if x:\n    c(3)\n", "if x:\n    c(3,\n      4)\nelse:\n    e(5)\n",
     "def main():\n\tif x:\n\t\tc(3,\n\t\t  4)\n\telse:\n\t\te(5)\n\td(4)\n"},
    {"... whose unit only the first line tells: eight for a tab, or four",
     "def main():\n\tif x:\n\t\tc(3)\n\td(4)\n", "if x:\n        c(3)\n",
     "if x:\n        c(3)\nz(5)\n", NULL},
    {"... or four for two", "def main():\n  if x:\n    c(3,  4)\n  d(4)\n", "if x:\n    c(3, 4)\n",
     "if x:\n    c(3, 4)\nz(5)\n", NULL},
    {"... or in a here-document", "f() {\n\tif x; then\n\t\tc 3\n\tfi\n}\n",
     "if x; then\n    c 3\n", "if x; then\n    cat <<EOF\nhello\nEOF\n    c 3\n", NULL},
    {"the first line alone lacks its indentation, and is no step",
     "{\n\t\"buf\": {\n\t\t\"wid\": 1,\n\t\t\"led\": 2\n\t}\n}\n",
     "\"buf\": {\n        \"wid\": 1,",
     "\"buf\": {\n        \"cur\": {\n            \"wid\": 1,\n        },",
     "{\n\t\"buf\": {\n\t\t\"cur\": {\n\t\t\t\"wid\": 1,\n\t\t},\n\t\t\"led\": 2\n\t}\n}\n"},
    {"... and a line is less deep", "def main():\n\tif x:\n\t\tc(3)\n\td(4)\n",
     "if x:\n        c(3)\n", "if x:\n        c(3)\n    elif y:\n        e(5)\n",
     "def main():\n\tif x:\n\t\tc(3)\n\telif y:\n\t\te(5)\n\td(4)\n"},
    {"lines of one depth: steps are the file's",
     "def main():\n    a(1)\n    b(2)\n    if x:\n        c(3)\n    d(4)\n", "a(1)\nb(2)\n",
     "if y:\n  a(1)\n  b(2)\n",
     "def main():\n    if y:\n        a(1)\n        b(2)\n    if x:\n        c(3)\n    d(4)\n"},
    {"... where all of the block is new",
     "function f() {\n    a(1);\n    b(2);\n    if (x) {\n        c(3);\n    }\n}\n",
     "a(1);\nb(2);\n", "if (y) {\n  e(1);\n  f(2);\n}\n",
     "function f() {\n    if (y) {\n        e(1);\n        f(2);\n    }\n    if (x) {\n        "
     "c(3);\n    }\n}\n"},
    {"... four for two", "function f() {\n  a(1);\n  b(2);\n  if (x) {\n    c(3);\n  }\n}\n",
     "a(1);\nb(2);\n", "if (y) {\n    e(1);\n    f(2);\n}\n",
     "function f() {\n  if (y) {\n    e(1);\n    f(2);\n  }\n  if (x) {\n    c(3);\n  }\n}\n"},
    {"... of lines that are found, too",
     "def main():\n    a(1)\n    b(2)\n    if x:\n        c(3)\n    d(4)\n", "if x:\n  c(3)\n",
     "if x:\n  while y:\n    c(3)\n",
     "def main():\n    a(1)\n    b(2)\n    if x:\n        while y:\n            c(3)\n    d(4)\n"},
    {"what goes on is aligned, and tells no step",
     "f() {\n    a( 1);\n    if (x) {\n        b(2);\n    }\n}\n", "a(1);\n", "a(1,\n  2);\n",
     "f() {\n    a( 1,\n      2);\n    if (x) {\n        b(2);\n    }\n}\n"},
    {"two columns for the tab that the replacement has",
     "def go_all():\n\ta_call(1)\n\tb_call(2)\n", "def go_all():\n  a_call(1)\n",
     "def go_all():\n\tif x:\n\t\ta_call(1)\n",
     "def go_all():\n\tif x:\n\t\ta_call(1)\n\tb_call(2)\n"},
    {"... within braces", "func f() {\n\ta_call(1)\n\tb_call(2)\n}\n",
     "func f() {\n  a_call(1)\n  b_call(2)\n",
     "func f() {\n\tif x {\n\t\ta_call(1)\n\t}\n\tb_call(2)\n",
     "func f() {\n\tif x {\n\t\ta_call(1)\n\t}\n\tb_call(2)\n}\n"},
    {"... with a line that is not indented", "all: x\n\tcc a.c\n\tcc b.c\n# pub\n",
     "all: x\n  cc a.c\n  cc b.c\n# pub\n",
     "all: x\n\tifdef B\n\t\tcc a.c\n\tendif\n\tcc b.c\n# pub\n",
     "all: x\n\tifdef B\n\t\tcc a.c\n\tendif\n\tcc b.c\n# pub\n"},
    {"blanks for a tab, and the replacement as the file",
     "y:\n  name: 1\n  list:\n    - item\n    - other\n", "  name: 1\n  list:\n\t- item\n",
     "    - item\n", "y:\n    - item\n    - other\n"},
    {"a tab for four columns, beside lines that stand",
     "class C:\n  def f(self):\n    # note\n    if a:\n      b(2)\n      # end\n    return 1\n",
     "class C:\n  def f(self):\n\t# note\n\tif a:\n\t  b(2)\n\t  # end\n\treturn 1\n",
     "class C:\n  def f(self):\n    # note\n    b(2)\n    # end\n    return 1\n",
     "class C:\n  def f(self):\n    # note\n    b(2)\n    # end\n    return 1\n"},
    {"two columns for a tab, in lines of one depth", "def f():\n\ta(1)\n\tb(2)\n",
     "  a(1)\n  b(2)\n", "\tif x:\n\t\ta(1)\n\tb(2)\n", "def f():\n\tif x:\n\t\ta(1)\n\tb(2)\n"},
    {"a block with spaces in a file with tabs",
     "def a():\n\tx()\n\ty()\n\tz()\n\ndef b():\n    one_call(1)\n    two_call(2)\n",
     "one_call(1)\ntwo_call(2)\n", "if x:\n    one_call(1)\ntwo_call(2)\n",
     "def a():\n\tx()\n\ty()\n\tz()\n\ndef b():\n    if x:\n        one_call(1)\n    "
     "two_call(2)\n"},
    {"... and the first line bare",
     "def a():\n\tx()\n\ty()\n\tz()\n\ndef b():\n    if q:\n        one(1)\n    two(2)\n",
     "if q:\n  one(1)\n", "if q:\n  one(1)\nelse:\n  two(2)\n",
     "def a():\n\tx()\n\ty()\n\tz()\n\ndef b():\n    if q:\n        one(1)\n    else:\n        "
     "two(2)\n    two(2)\n"},
    /* the search text lost all indentation */
    {"the search text lost all indentation, the replacement has some",
     "class A:\n\tdef f():\n\t\tlog_it(1)\n\t\tgo_on(2)\n\t\tend()\n", "log_it(1)\ngo_on(2)\n",
     "        log_it(1)\n        go_on(22)\n",
     "class A:\n\tdef f():\n\t\tlog_it(1)\n\t\tgo_on(22)\n\t\tend()\n"},
    {"... in other steps than the file",
     "class A:\n  def f():\n    log_it(1)\n    go(2)\n    end()\n", "log_it( 1)\ngo(2)\n",
     "        log_it( 1)\n        go(22)\n",
     "class A:\n  def f():\n    log_it(1)\n    go(22)\n    end()\n"},
    {"... and a block that is new", "def f():\n\t\tlog(1)\n\t\tgo(2)\n", "log(1)\ngo(2)\n",
     "        log(1)\n        new(4)\n        if y:\n            z(1)\n        go(2)\n",
     "def f():\n\t\tlog(1)\n\t\tnew(4)\n\t\tif y:\n\t\t\tz(1)\n\t\tgo(2)\n"},
    {"... or one around a line", "def f():\n\t\tlog(1)\n\t\tgo(2)\n", "log(1)\ngo(2)\n",
     "        log(1)\n        if x:\n            go(2)\n",
     "def f():\n\t\tlog(1)\n\t\tif x:\n\t\t\tgo(2)\n"},
    {"... lines of several depths",
     "class A:\n\tdef f(a):\n\t\tlog(1)\n\t\treturn a\n\n\tdef g():\n\t\treturn 1\n",
     "class A:\ndef f(a):\nlog(1)\nreturn a\n",
     "class A:\n    def f(a):\n        log(1)\n        return b\n",
     "class A:\n\tdef f(a):\n\t\tlog(1)\n\t\treturn b\n\n\tdef g():\n\t\treturn 1\n"},
    {"... and the first line changed", "def f():\n\t\tlog(1)\n\t\tgo(2)\n", "log(1)\ngo(2)\n",
     "        log_that(1)\n        go(22)\n", "def f():\n\t\tlog_that(1)\n\t\tgo(22)\n"},
    {"behind the last line, which is less deep",
     "def f():\n    x = 1\n    return x\n\ndef g():\n    pass\n", "x = 1\nreturn x\n\ndef g():\n",
     "x = 1\nreturn x\n\ndef g():\none()\ntwo()\n", NULL},
    {"between lines of two depths", "if {\n\ta\n\tb\n}\n", "if {\na\nb\n", "if {\n1\n2\na\nb\n",
     NULL},
    {"behind the end of a block", "f {\n    if {\n        a;\n    }\n}\n", "if {\na;\n}\n",
     "if {\na;\n}\n1;\n2;\n", NULL},
    {"between lines of one", "f {\n    a;\n    b;\n}\n", "f {\na;\nb;\n}\n",
     "f {\na;\n1;\n2;\nb;\n}\n", "f {\n    a;\n    1;\n    2;\n    b;\n}\n"},
    {"behind lines of one", "f {\n    a;\n    b;\n}\n", "f {\na;\nb;\n", "f {\na;\nb;\n1;\n2;\n",
     "f {\n    a;\n    b;\n    1;\n    2;\n}\n"},
    {"for a line that goes", "f {\n    a\n}\n", "f {\na\n}\n", "f {\n1\n2\n}\n",
     "f {\n    1\n    2\n}\n"},
    {"for lines of two depths", "f {\n    a;\n}\nb;\n", "f {\na;\n}\nb;\n", "f {\n1;\n2;\n", NULL},
    {"around a line", "f {\n    a;\n    b;\n}\n", "f {\na;\nb;\n}\n",
     "f {\nif {\n    a;\n    c;\n    b;\n}\n}\n", NULL},
    {"around a line alone", "f:\n    a;\n    b;\ng;\n", "f:\na;\nb;\ng;\n",
     "f:\nif:\n    a;\n    c;\n    b;\ng;\n",
     "f:\n    if:\n        a;\n        c;\n        b;\ng;\n"},
    {"the replacement did not", "    f {\n        a;\n", "f {\na;\n", "f {\n    a;\n    b;\n",
     NULL},
    {"between two, of which the first is deeper",
     "f:\n    for x in y:\n        if x:\n            go(x)\n    return 1\n", "go(x)\nreturn 1",
     "go(x)\nstop()\nreturn 1", NULL},
    {"above the first of them, as deep as that",
     "f:\n    for x in y:\n        if x:\n            go(x)\n    return 1\n", "go(x)\nreturn 1",
     "log(x)\ngo(x)\nreturn 1",
     "f:\n    for x in y:\n        if x:\n            log(x)\n            go(x)\n    return 1\n"},
    {"a block between two of two depths",
     "c:\n    f:\n        return 1\n\n    g:\n        return 2\n",
     "return 1\n\ng:", "return 1\n\nh:\nreturn 3\n\ng:", NULL},
    /* the replacement's first line lost its indentation, alone */
    {"all else is as in the file", "f:\n        t = 1\n        n = 2\n        return t\n",
     "    t = 1\n    n = 2\n    return t", "t = 1\n        n = 2\n        return t / n",
     "f:\n        t = 1\n        n = 2\n        return t / n\n"},
    {"and the search text lost all of it", "f:\n    t = 1\n    n = 2\n    return t\n",
     "t = 1\nn = 2\nreturn t", "t = 1\n    n = 2\n    return t / n",
     "f:\n    t = 1\n    n = 2\n    return t / n\n"},
    {"it is another line", "f:\n        t = 1\n        n = 2\n", "    t = 1\n    n = 2\n",
     "new(3)\n        t = 1\n        n = 2\n", NULL},
    {"all else is as it was sent", "f:\n        t = 1\n        n = 2\n", "    t = 1\n    n = 2\n",
     "t = 3\n    n = 2\n", NULL},
    {"it is alone", "f:\n        t = 1\n", "    t = 1\n", "t = 2\n", NULL},
    {"it is less deep than what follows it, for the caller too", "f:\n        t = 1\n    n = 2\n",
     "    t = 1\nn = 2\n", "if (x):\n    t = 1\nn = 2\n",
     "f:\n    if (x):\n        t = 1\n    n = 2\n"},
    {"it is as deep as what follows, for the caller too", "    if x:\n        t = 1\n        n\n",
     "      if x:\n          t = 1\n          n\n", "t = 1\nn\n", "t = 1\nn\n"},
    {"what it comes for opens no block", "f:\n    t(1)\n    if x:\n        n\n",
     "t(1)\nif x:\n    n", "t(2)\n    if x:\n        n", "f:\n    t(2)\n    if x:\n        n\n"},
    {"nor does a new one", "if x:\n    if y:\n        t()\n        n()\n", "t()\nn()",
     "new(3)\n        t()\n        n()",
     "if x:\n    if y:\n        new(3)\n        t()\n        n()\n"},
    {"one that opens a block is deeper than what follows as it was sent",
     "f() {\n\tif (x) {\n\t\tif (y) {\n\t\t\tt();\n\t\t}\n\t}\n}\n", "if (y) {\n\tt();",
     "if (y) {\n\t\t\tif (z) {\n\t\t\t\tn();\n\t\t\t}\n\t\t\tt();",
     "f() {\n\tif (x) {\n\t\tif (y) {\n\t\t\tif (z) "
     "{\n\t\t\t\tn();\n\t\t\t}\n\t\t\tt();\n\t\t}\n\t}\n"
     "}\n"},
    {"another line of the search text, of which all else is as in the file",
     "k:\n    - n: 1\n      f:\n        p: 2\n        s: 3\n    - l:\n        p: 4\n",
     "f:\n    p: 2\n    s: 3\n- l:\n    p: 4", "p: 2\n      s: 3\n    - l:\n        p: 4", NULL},
    /* steps of the search text that are not the file's, as those of the replacement are */
    {"half as wide", "t(1);\nif (x) {\n    a();\n    if (y) {\n        b();\n    }\n}\n",
     "if (x) {\n  a();", "if (x) {\n    if (z) {\n        n();\n    }\n    a();",
     "t(1);\nif (x) {\n    if (z) {\n        n();\n    }\n    a();\n    if (y) {\n        b();\n   "
     " }\n}\n"},
    {"and a block around them", "t(1)\na(1)\nif x:\n    b(2)\nc(3)\n", "a(1)\nif x:\n  b(2)",
     "if y:\n    a(1)\n    if x:\n        b(2)",
     "t(1)\nif y:\n    a(1)\n    if x:\n        b(2)\nc(3)\n"},
    /* line endings that neither the file nor the caller means */
    {"CRs in both texts", "c:\n    f:\n        a = 1\n        b = 2\n", "a = 1\r\nb = 2",
     "        a = 1\r\n        if a:\r\n            b = 2",
     "c:\n    f:\n        a = 1\n        if a:\n            b = 2\n"},
    /* a search text that was stripped, of lines that are all too deep */
    {"its first line stays", "i\n\nd f(p):\n    a = r(p)\n    return a\n", "d f(p):\n     a = r(p)",
     " d f(p):\n     a = s(p)", "i\n\nd f(p):\n    a = s(p)\n    return a\n"},
    /* a line that stands in the replacement alone as in the file is not moved */
    {"with another slip in it", "if (a) {\n    x = F(\"a\");\n    y = F(\"b\");\n}\n",
     "x = F('a');\ny = F('b');", "    x = F('c');\n    y = F('b');",
     "if (a) {\n    x = F(\"c\");\n    y = F(\"b\");\n}\n"},
    {"the first one", "if (a) {\n    x = F(\"a\");\n}\n", "        x = F('a');\n",
     "    x = F('a');\n    y();\n", "if (a) {\n    x = F(\"a\");\n    y();\n}\n"},
    {"one that changes", "f:\n    log(x, y)\n\ng:\n", "f:\nlog(x, y)\n\ng:\n",
     "f:\n    log(x, z)\n\ng:\n", "f:\n    log(x, z)\n\ng:\n"},
    {"one that comes for another", "f:\n    a(1)\n    b(2)\n", "a(1)\nb(2)\n",
     "a(1)\n    other = 3\n", "f:\n    a(1)\n    other = 3\n"},
    /* a line that the edit moves to where the file has it by chance */
    {"into a block", "f()\n{\n    g(x);\n}\n", "f()\n{\n  g(x);\n}\n",
     "f()\n{\n  if (x)\n    g(x);\n  else\n    k();\n}\n",
     "f()\n{\n    if (x)\n        g(x);\n    else\n        k();\n}\n"},
    {"out of a block", "f()\n{\n  if (x)\n    g(x);\n}\n", "f()\n{\n    if (x)\n        g(x);\n}\n",
     "f()\n{\n    g(x);\n}\n", "f()\n{\n  g(x);\n}\n"},
    {"a word before the first one, in a line that is less deep",
     "d g():\n    x = c(1)\n    y = c(2)\n", " x = c(1)\n y = c(2)", " n x = c(1)\n y = c(2)",
     "d g():\n    n x = c(1)\n    y = c(2)\n"},
    {"a sign", "d g():\n    x = c(1)\n    y = c(2)\n", " x = c(1)\n y = c(2)",
     " # x = c(1)\n # y = c(2)", "d g():\n    # x = c(1)\n    # y = c(2)\n"},
    /* lines that go on with a statement, without any indentation in what was sent */
    {"a call of a chain", "f\n  .b(1)\n  .c(2)\n  .d(3);\n", "f\n.b(1)\n.c(2)\n.d(3);",
     "f\n.b(1)\n.c(2)\n.n(9)\n.d(3);", "f\n  .b(1)\n  .c(2)\n  .n(9)\n  .d(3);\n"},
    {"a line of a comment", "/**\n * A b.\n * C d.\n */\n", "/**\n* A b.\n* C d.\n*/",
     "/**\n* A b.\n* N m.\n* C d.\n*/", "/**\n * A b.\n * N m.\n * C d.\n */\n"},
    {"two that are not as deep", "f\n  .b(1)\n    .c(2)\n  .d(3);\n", "f\n.b(1)\n.c(2)\n.d(3);",
     "f\n.b(1)\n.n(9)\n.c(2)\n.d(3);", NULL},
    {"a statement between two of them",
     "f() {\n    const r = q\n        .a();\n    const s = r\n        .b();\n}\n",
     "const r = q\n.a();\nconst s = r\n.b();",
     "const r = q\n.a();\nn(9);\nconst t = k;\nlet s = u\n.b();", NULL},
    {"a line below one that came flush, as that did", "d f(a):\n    x = o(a)\n    y = t(a)\n",
     "    x = o(a)\ny = t(a)", "    x = o(a)\ny = t(a)\nz = r(a)", NULL},
    /* blocks that come */
    {"it would be no deeper", "f:\n    log(1)\n", "f:\n        log(1)", "    if x:\n        log(1)",
     NULL},
    {"its depth was lost", "f:\n    a\n    b\n", "a\nb\n", "a\nwhile x:\nc\nb\n", NULL},
    {"they are labels", "s {\n    case a:\n    b;\n}\n", "case a:\nb;\n", "case d:\ncase a:\nb;\n",
     "s {\n    case d:\n    case a:\n    b;\n}\n"},
    /* a first line that has something of another one than the search text's first, all of which
       lost its indentation */
    {"its brackets", "f:\n    if x:\n        foo(1)\n    bar()\n", "if x:\nfoo(1)\n", "baz(2)\n",
     NULL},
    {"its value", "a:\n  b:\n    c: 1\n  d: 2\n", "b:\nc: 1\n", "e: 1\n", NULL},
    {"where the first one has none in the file", "if x:\n    foo(1)\nbar()\n", "if x:\nfoo(1)\n",
     "baz(2)\n", NULL},
    {"where both are as deep", "f:\n    a(1)\n    b(2)\n    c()\n", "a(1)\nb(2)\n", "x(2)\n",
     "f:\n    x(2)\n    c()\n"},
    {"its first word", "f:\n    if x\n        foo(1)\n    bar()\n", "if x\nfoo(1)\n", "foo(2)\n",
     "f:\n        foo(2)\n    bar()\n"},
    {"what opened its block goes", "f:\n    if x:\n        foo(1)\n    bar()\n", "if x:\nfoo(1)\n",
     "foo(2)\n", NULL},
    {"less deep by no step", "f:\n    a\n    b\n", "f:\n            a\n            b\n",
     "a\n        b\n", NULL},
    /* words are never joined */
    {"a word where the file has no blank", "f;a}b}", "a}b ", "a}b c", "f;a}b c}"},
    {"a sign that stood between words goes", "a+b", "a + b", "a b", "a b"},
    {"a blank that stood between words", "x a\xC2\xA0y", "a\xC2\xA0 ", "a ", NULL},
    {"nothing between two words", "a(\n)b", "( )", "", NULL},
    /* an edit of blanks alone that may have been made already */
    {"indented as it is to be", "  a;\n    b  c;\n", " a;\n b c;\n", " a;\n   b c;\n",
     "  a;\n    b  c;\n"},
    {"of the first line alone nobody knows", "  a;\n    b  c;\n", "a;\nb c;\n", "a;\n  b c;\n",
     NULL},
    {"less deep", "    a;\n  b  c;\n", "  a;\n  b c;\n", "  a;\nb c;\n", "    a;\n  b  c;\n"},
    {"tabs and spaces", "\t\ta;\n    b  c;\n", "\ta;\n\tb c;\n", "\ta;\nb c;\n",
     "\t\ta;\n    b  c;\n"},
    {"indented as it was", "    a;\n    b  c;\n", "  a;\n  b c;\n", "  a;\n    b c;\n",
     "    a;\n      b  c;\n"},
    {"exactly as it is to be", "  a;\n  b  c;\n", " a;\n b c;\n", "  a;\n  b c;\n",
     "  a;\n  b  c;\n"},
    {"as neither", "   a;\n   b  c;\n", " a;\n b c;\n", "  a;\n  b c;\n", NULL},
    {"an empty line behind that is there", "a  b\n\nc\n", "a b\n", "a b\n\n", "a  b\n\nc\n"},
    {"one of more than there were", "a  b\n\n\nc\n", "a b\n\n", "a b\n", NULL},
    {"blanks behind, within a line", "a  b(", "a b", "a b ", NULL},
    /* a file that ends without a line ending */
    {"its last line goes", "a;\nb  c;", "a;\nb c;\n", "a;\n", "a;"},
    {"with an empty line before it", "a;\n\nb  c;", "a;\n\nb c;\n", "a;\n\n", "a;\n"},
    {"it changes", "a;\r\nb  c;", "a;\nb c;\n", "a;\nb d;\n", "a;\r\nb  d;"},
    {"an empty line comes behind it", "a;\nb  c;", "a;\nb c;\n", "a;\nb d;\n\n", "a;\nb  d;\n"},
    {"a fence", "a  b\n", "a b", "```\na b\n```", NULL},
    {"a fence among the file's own lines", "    a;\n    b;\n", "a;\nb;\n", "    a;\n```\n    b;\n",
     NULL},
    {"a line of a patch", "  a;\n  b;\n", "   a;\n   b;\n", "   a;\n+  c;\n   b;\n", NULL},
    {"one that it takes away", "  a;\n  b;\n", "   a;\n   b;\n", "   a;\n-  b;\n", NULL},
    {"one that is not indented", "a;\n\tb;\n", " a;\n \tb;\n", " a;\n+c;\n \tb;\n", NULL},
    {"one alone", "  a;\n", "   a;\n", "+  b;\n", NULL},
    {"one with two blanks for its column", "  a;\n  b;\n", "    a;\n    b;\n",
     "    a;\n+   c;\n    b;\n", NULL},
    {"one where the column was lost", "  a;\n  b;\n", "a;\nb;\n", "a;\n+c;\nb;\n", NULL},
    {"one of lines that the file has", "  + d;\n  a;\n  b;\n", "a;\nb;\n", "a;\n+ c;\nb;\n",
     "  + d;\n  a;\n  + c;\n  b;\n"},
    {"no patch, but an increment", "  a;\n  b;\n", "a;\nb;\n", "a;\n++c;\nb;\n",
     "  a;\n  ++c;\n  b;\n"},
    {"one with one blank before it", " * a\n * b\n", "  * a\n  * b\n", "  * a\n+ * c\n  * b\n",
     NULL},
    {"an empty line of one", "  a;\n  b;\n", "   a;\n   b;\n", "   a;\n+\n   b;\n", NULL},
    {"... with a blank behind its sign", "a;\nb;\n", " a;\n b;\n", " a;\n- \n b;\n", NULL},
    {"a line of one whose other lines lost its column", "  a;\n  b;\n", "  a; \n  b;\n",
     "  a;\n+  c;\n  b;\n", NULL},
    {"... and the first one", "\ta;\n\tb;\n", "\ta; \n\tb;\n", "-\ta;\n+\tc;\n\tb;\n", NULL},
    {"a patch of the search text", "  a;\n  b;\n  c;\n", "  a; \n  b;\n  c;\n",
     "   a; \n-  b;\n   c;\n", NULL},
    {"the file has lines with such a sign", "-  x\n  a;\n  b;\n", "  a; \n  b;\n",
     "  a;\n-  c;\n  b;\n", "-  x\n  a;\n-  c;\n  b;\n"},
    {"a list beside a line that is less deep", "a\nb\n", "a \nb\n", "a\n-  c\nb\n", "a\n-  c\nb\n"},
    {"line breaks that were escaped", "  a(1);\n", "  a(1); ", "  a(1);\\n  b(2);", NULL},
    {"... with their tabs", "\ta(1);\n", "\ta(1); ", "\ta(1);\\n\\tb(2);", NULL},
    {"one in a string", "  a(1);\n", "  a(1); ", "  a(\"b\\n  c\");", "  a(\"b\\n  c\");\n"},
    {"one behind an escaped backslash", "  a(1);\n", "  a(1); ", "  a(/b\\\\n  c/);",
     "  a(/b\\\\n  c/);\n"},
    {"one behind an apostrophe", "  a  b\n", "  a b", "  don't b\\n  c", "  don't  b\\n  c\n"},
    {"one where the file has some", "  a;\\n  b;\n", "  a;\\n  b; ", "  a;\\n  c;\\n  b;",
     "  a;\\n  c;\\n  b;\n"},
    {"what only begins like one", "$a  b$\n", "$a b$\n", "$\\nu b$\n$\\ne c$\n",
     "$\\nu  b$\n$\\ne c$\n"},
    {"one within a line", "f(\"a  b\")\n", "a b", "a b\\n  c", "f(\"a  b\\n  c\")\n"},
    {"a list in a text", "a\nb\n", " a\n b\n", " a\n- c\n b\n", "a\n- c\nb\n"},
    {"a sign that the lines have", "-a\n-b\n", " -a\n -b\n", "-a\n-c\n", "-a\n-c\n"},
    {"a sign that the lines have further in", "\t+a)\n\tb\n", " \t+a)\n \tb\n",
     "+\tc\n \t+a)\n \tb\n", NULL},
    {"a sign in another column", "  a;\n  b;\n", "    a;\n    b;\n", "    a;\n-  b;\n",
     "  a;\n-  b;\n"},
    {"a rule", "a\nb\n", " a\n b\n", " a\n---\n b\n", "a\n---\nb\n"},
};

static em_slice laid_in(em_slice text, em_span span, em_slice insert, em_arena *arena)
{
    size_t length = span.start + insert.len + text.len - span.end;
    char *out = em_alloc_raw(arena, length);
    assert_non_null(out);
    memcpy(out, text.ptr, span.start);
    if (insert.len > 0)
        memcpy(out + span.start, insert.ptr, insert.len);
    memcpy(out + span.start + insert.len, text.ptr + span.end, text.len - span.end);
    return em_slice_make(out, length);
}

static em_status only_place(em_slice text, em_slice find, em_slice insert, em_arena *arena,
                            em_tolerant_place *place)
{
    em_places found = {0};
    for (int fold = EM_FOLD_NOTHING; fold <= EM_FOLD_WRITING && found.count == 0; fold++)
        EM_TRY(em_tolerant_find(text, find, insert, (em_fold)fold, NULL, arena, &found));
    assert_int_equal(found.count, 1);
    *place = found.items[0];
    return em_adjust_place_edges(text, (em_places){place, 1}, arena);
}

static em_eol dominant(em_slice text)
{
    if (!em_slice_has_byte(text, '\r'))
        return EM_EOL_NONE;
    return em_slice_has_byte(text, '\n') ? EM_EOL_CRLF : EM_EOL_CR;
}

/* The text with the edit laid in; NULL where that is not sound. */
static em_slice laid(em_slice text, em_slice find, em_slice insert, em_arena *arena)
{
    em_tolerant_place place;
    em_slice out;
    bool sound;
    assert_int_equal(only_place(text, find, insert, arena, &place), EM_OK);
    assert_int_equal(em_lay(text, &place, dominant(text), arena, &out, &sound), EM_OK);
    return sound ? laid_in(text, place.span, out, arena) : (em_slice){0};
}

/* `text` with other endings for its LFs. */
static em_slice ended(const char *text, em_eol eol, em_arena *arena)
{
    size_t length = text ? strlen(text) : 0, used = 0;
    char *out = em_alloc_raw(arena, 2 * length);
    assert_non_null(out);
    for (size_t i = 0; i < length; i++) {
        em_slice next = text[i] == '\n' ? em_eol_bytes(eol) : em_slice_make(&text[i], 1);
        memcpy(out + used, next.ptr, next.len);
        used += next.len;
    }
    return text ? em_slice_make(out, used) : (em_slice){0};
}

/* The case in a file of such line endings. */
static void check_case(size_t index, em_eol eol)
{
    EM_AUTO(em_arena) arena = {0};
    const char *what = cases[index].what;
    em_slice wanted = ended(cases[index].wanted, eol, &arena);
    em_slice got = laid(ended(cases[index].text, eol, &arena), em_slice_of(cases[index].find),
                        em_slice_of(cases[index].insert), &arena);
    check_size(what, got.ptr != NULL, wanted.ptr != NULL);
    if (wanted.ptr)
        check_bytes(what, got, wanted);
}

static void edits_are_laid_onto_the_files_writing(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_case(i, EM_EOL_LF);
}

static bool has_crs(size_t index)
{
    return strchr(cases[index].text, '\r') || strchr(cases[index].find, '\r') ||
           strchr(cases[index].insert, '\r');
}

static void whatever_ends_the_lines_of_the_file(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        if (has_crs(i) || !strchr(cases[i].text, '\n'))
            continue;
        check_case(i, EM_EOL_CRLF);
        check_case(i, EM_EOL_CR);
    }
}

/* What a place of a text with slips becomes. */
static em_slice laid_by_likeness(em_slice text, em_slice find, em_slice insert, em_arena *arena)
{
    em_occurrences in = {.text = text, .arena = arena};
    em_located located;
    em_slice out;
    bool sound;
    assert_int_equal(em_fuzzy_find(&in, find, insert, NULL, arena, &located), EM_OK);
    assert_int_equal(located.places.count, 1);
    const em_tolerant_place *place = &located.places.items[0];
    assert_int_equal(em_lay(text, place, EM_EOL_LF, arena, &out, &sound), EM_OK);
    return sound ? laid_in(text, place->span, out, arena) : (em_slice){0};
}

/* Of a place that is not the same text: a word that was misspelt in the search text is spelt as the
 * file does wherever it comes again. */
static void misspelt_words_are_spelt_as_in_the_file(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_slice text = em_slice_of("const  response = fetch(url);\n");
    em_slice find = em_slice_of("const reponse = fetch(url);");
    em_slice insert = em_slice_of("const reponse = fetch(url);\nuse(reponse, other);");
    check_bytes("spelt", laid_by_likeness(text, find, insert, &arena),
                em_slice_of("const  response = fetch(url);\nuse(response, other);\n"));
    text = em_slice_of("show('Error  opening it');\n");
    find = em_slice_of("show('error opening it');");
    insert = em_slice_of("catch (error) {}\nshow('error opening it');");
    check_bytes("in another case", laid_by_likeness(text, find, insert, &arena),
                em_slice_of("catch (Error) {}\nshow('Error  opening it');\n"));
    insert = em_slice_of("catch (error) {}\nshow('Error opening it');");
    check_bytes("which came, too", laid_by_likeness(text, find, insert, &arena),
                em_slice_of("catch (error) {}\nshow('Error  opening it');\n"));
}

/* A comment that the search text lacks may tell of the line below it. */
static void no_line_moves_away_from_below_a_comment(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_slice text =
        em_slice_of("first_of_all()\nsame()\n# third\nthird_of_all()\nsame()\nlast()\n");
    em_slice find = em_slice_of("first_of_all()\nsame()\nthird_of_all()\nsame()\nlast()\n");
    em_slice away = em_slice_of("first_of_all()\nsame()\nsame()\nthird_of_all()\nlast()\n");
    em_slice above = em_slice_of("same()\nfirst_of_all()\nthird_of_all()\nsame()\nlast()\n");
    assert_null(laid_by_likeness(text, find, away, &arena).ptr);
    check_bytes("what is above it moves", laid_by_likeness(text, find, above, &arena),
                em_slice_of("same()\nfirst_of_all()\n# third\nthird_of_all()\nsame()\nlast()\n"));
}

/* A line that is as in the file in the replacement alone is that line, with its ending. */
static void a_mended_line_stays(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_slice text = em_slice_of("a\n\nfind  the context here\r\nb\n");
    em_slice find = em_slice_of("\nfind the cotnext here\n");
    em_slice behind = em_slice_of("\nfind the context here\nfind the obelisk here\n");
    em_slice before = em_slice_of("\nfind the obelisk here\nfind the context here\n");
    check_bytes("a line behind it", laid_by_likeness(text, find, behind, &arena),
                em_slice_of("a\n\nfind  the context here\r\nfind the obelisk here\r\nb\n"));
    check_bytes("one before it", laid_by_likeness(text, find, before, &arena),
                em_slice_of("a\n\nfind the obelisk here\nfind  the context here\r\nb\n"));
}

static em_status lay_one(em_arena *arena, const void *context)
{
    size_t index = *(const size_t *)context;
    em_slice text = em_slice_of(cases[index].text), out;
    em_tolerant_place place;
    bool sound;
    EM_TRY(only_place(text, em_slice_of(cases[index].find), em_slice_of(cases[index].insert), arena,
                      &place));
    return em_lay(text, &place, dominant(text), arena, &out, &sound);
}

static void memory_that_runs_out_is_a_status(void **state)
{
    (void)state;
    static const char *const some[] = {"two for four",
                                       "it lacks a level",
                                       "tabs for spaces",
                                       "only blanks are left",
                                       "what follows it stays as deep",
                                       "the replacement has them too",
                                       "it lacks the last line ending",
                                       "tabs for spaces, and a new line"};
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        for (size_t k = 0; k < COUNT_OF(some); k++)
            if (strcmp(cases[i].what, some[k]) == 0)
                check_scarce(cases[i].what, lay_one, &i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edits_are_laid_onto_the_files_writing),
        cmocka_unit_test(whatever_ends_the_lines_of_the_file),
        cmocka_unit_test(misspelt_words_are_spelt_as_in_the_file),
        cmocka_unit_test(no_line_moves_away_from_below_a_comment),
        cmocka_unit_test(a_mended_line_stays),
        cmocka_unit_test(memory_that_runs_out_is_a_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
