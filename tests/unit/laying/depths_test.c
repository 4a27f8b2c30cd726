/* How deep new lines come, where the lines of the search text do not stand as the file's do. */
#include "laying/laying.h"

#include "match/place_edges.h"
#include "match/tiers.h"
#include "scarce_arena.h"

#define METHOD "class A:\n    def f(self):\n"
#define ALIGNED "        log.info(\"a %s\",\n                 self.x)\n"
#define END "        return self.x\n"

#define GNU(lines) "f (void)\n{\n  if (a)\n    {\n      if (b)\n\t{\n" lines "\t}\n    }\n}\n"
#define FOUR_STOPS "f {\n    if (a) {\n\tb(1);\n    }\n}\n"

#define FOUR "g(0) {\n    if (y) {\n        z(0);\n    }\n}\n"
#define FOURS FOUR FOUR FOUR FOUR

#define BARE(last) "for x in y:\n    a(x)\n    " last
#define DEEP(last) "        for x in y:\n            a(x)\n            " last
#define LOOP "def f():\n    for x in y:\n        a(x)\n        b(x)\n"
#define CALLED "def f():\n    for x in y:\n        a(x)\n        b(x, 1)\n"
#define BLOCK "def f():\n    a(x)\n    b(x)\n    c(x)\n"
#define REST "    d(x)\n    e(x)\n    g(x)\n"
#define IF_JS "f() {\n  if (x) {\n    n\n    m\n  }\n}\n"

static const struct {
    const char *what, *text, *find, *insert;
    const char *wanted; /* the text with the edit laid in; NULL: it is refused */
} cases[] = {
    /* lines that go on with a statement, and are aligned in the file alone */
    {"a statement behind it", METHOD ALIGNED END,
     "        log.info(\"a %s\",\n            self.x)\n",
     "        log.info(\"a %s\",\n            self.x)\n        self.z = 2\n",
     METHOD ALIGNED "        self.z = 2\n" END},
    {"a block behind it", METHOD ALIGNED END, "        log.info(\"a %s\",\n            self.x)\n",
     "        log.info(\"a %s\",\n            self.x)\n        if x:\n            b()\n",
     METHOD ALIGNED "        if x:\n            b()\n" END},
    {"one level out", METHOD ALIGNED, "        log.info(\"a %s\",\n            self.x)\n",
     "        log.info(\"a %s\",\n            self.x)\n\n    def g(self):\n        pass\n",
     METHOD ALIGNED "\n    def g(self):\n        pass\n"},
    {"into the block that it opens",
     "class A:\n    def long(self, a,\n             b):\n        return a\n",
     "    def long(self, a,\n            b):\n",
     "    def long(self, a,\n            b):\n        self.q = 1\n",
     "class A:\n    def long(self, a,\n             b):\n        self.q = 1\n        return a\n"},
    {"where all is less deep", METHOD ALIGNED END, "log.info(\"a %s\",\n    self.x)\n",
     "log.info(\"a %s\",\n    self.x)\nself.z = 2\n", METHOD ALIGNED "        self.z = 2\n" END},
    {"... and a word ends the first line",
     METHOD "        return (self.x and\n                self.y)\n",
     "    return (self.x and\n      self.y)\n",
     "    return (self.x and\n      self.y)\n\ndef g(self):\n    pass\n",
     METHOD
     "        return (self.x and\n                self.y)\n\n    def g(self):\n        pass\n"},
    {"where the first indentation was lost", METHOD ALIGNED END,
     "log.info(\"a %s\",\n                self.x)\n",
     "log.info(\"a %s\",\n                self.x)\n        self.z = 2\n",
     METHOD ALIGNED "        self.z = 2\n" END},
    {"... and others are less deep", METHOD ALIGNED,
     "log.info(\"a %s\",\n                 self.x)\n",
     "log.info(\"a %s\",\n                 self.x)\n\n    def g(self):\n        pass\n",
     METHOD ALIGNED "\n    def g(self):\n        pass\n"},
    {"... or all were less deep", METHOD ALIGNED, "log.info(\"a %s\",\n            self.x)\n",
     "log.info(\"a %s\",\n            self.x)\nself.z = 2\n", NULL},
    {"a line that goes on itself", METHOD ALIGNED END,
     "        log.info(\"a %s\",\n            self.x)\n",
     "        log.info(\"a %s\",\n            self.z,\n            self.x)\n",
     METHOD "        log.info(\"a %s\",\n                 self.z,\n                 self.x)\n" END},
    {"a bracket in a string", "f:\n    if a(\"(b\"):\n        c()\n    d()\n",
     "  if a(\"(b\"):\n    c()\n  d()\n", "  if a(\"(b\"):\n    c()\n  if e:\n    d()\n",
     "f:\n    if a(\"(b\"):\n        c()\n    if e:\n        d()\n"},
    {"... in a comment", "f:\n    if a: # (b\n        c()\n    d()\n",
     "  if a: # (b\n    c()\n  d()\n", "  if a: # (b\n    c()\n  if e:\n    d()\n",
     "f:\n    if a: # (b\n        c()\n    if e:\n        d()\n"},
    {"a block in brackets", "f() {\n  g(a, () => {\n    b();\n  });\n}\n",
     "    g(a, () => {\n        b();\n    });\n",
     "    g(a, () => {\n        b();\n    });\n    if (x) {\n        y();\n    }\n",
     "f() {\n  g(a, () => {\n    b();\n  });\n  if (x) {\n    y();\n  }\n}\n"},
    {"two steps in the file, one for the caller",
     "class A {\n    f() {\n        g(\n                a);\n    }\n}\n",
     "        g(\n            a);\n",
     "        g(\n            a);\n        if (x) {\n            y();\n        }\n",
     "class A {\n    f() {\n        g(\n                a);\n        if (x) {\n            y();\n"
     "        }\n    }\n}\n"},
    {"one step in both tells what a step is",
     "def f():\n    x = g(\n        a,\n        b,\n    )\n    return x\n",
     "  x = g(\n    a,\n    b,\n  )\n", "  x = g(\n    a,\n    b,\n  )\n  if x:\n    y()\n",
     "def f():\n    x = g(\n        a,\n        b,\n    )\n    if x:\n        y()\n    return x\n"},
    /* steps of the caller's that not all lines tell of alike */
    {"two steps of four, then a block", METHOD "        go()\n", "    def f(self):\n      go()\n",
     "    def f(self):\n      go()\n      if x:\n        w()\n",
     METHOD "        go()\n        if x:\n            w()\n"},
    {"... with braces", "class A {\n    f() {\n        go();\n    }\n}\n",
     "    f() {\n      go();\n    }\n",
     "    f() {\n      go();\n      if (x) {\n        w();\n      }\n    }\n",
     "class A {\n    f() {\n        go();\n        if (x) {\n            w();\n        }\n    "
     "}\n}\n"},
    {"a line put into such a block may stand as in the file by chance",
     METHOD "        go()\n        end()\n", "    def f(self):\n      go()\n",
     "    def f(self):\n      if z:\n        go()\n", NULL},
    {"a block that the file does not indent", "namespace n {\nvoid f() {\n    go();\n}\n}\n",
     "namespace n {\n    void f() {\n        go();\n    }\n}",
     "namespace n {\n    void f() {\n        go();\n        while (x)\n            step();\n    "
     "}\n}",
     "namespace n {\nvoid f() {\n    go();\n    while (x)\n        step();\n}\n}\n"},
    {"... nor is deeper than one above", "<body>\n<div>\n  <p>one</p>\n</div>\n</body>\n",
     "<body>\n  <div>\n    <p>one</p>\n  </div>\n</body>",
     "<body>\n  <div>\n    <p>one</p>\n    <ul>\n      <li>x</li>\n    </ul>\n  </div>\n</body>",
     "<body>\n<div>\n  <p>one</p>\n  <ul>\n    <li>x</li>\n  </ul>\n</div>\n</body>\n"},
    {"... and the block comes before what is not indented", "x = 1\ny = 2\n", "    x = 1\ny = 2\n",
     "    x = 1\n    if x:\n        w()\ny = 2\n", "x = 1\nif x:\n    w()\ny = 2\n"},
    {"... and ends before it", "<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n",
     "<ul>\n  <li>one</li>\n  <li>two</li>\n</ul>\n",
     "<ul>\n  <li>one</li>\n  <li>two\n    <ul>\n      <li>a</li>\n    </ul>\n  </li>\n</ul>\n",
     "<ul>\n<li>one</li>\n<li>two\n  <ul>\n    <li>a</li>\n  </ul>\n</li>\n</ul>\n"},
    {"a step of two, then one of four", "class B:\n    def g(self):\n        stop()\n",
     "class B:\n  def g(self):\n      stop()\n",
     "class B:\n  def g(self):\n      stop()\n      for y in z:\n          w()\n",
     "class B:\n    def g(self):\n        stop()\n        for y in z:\n            w()\n"},
    {"tabs, and cases that the file does not indent",
     "\tswitch a {\n\tcase 1:\n\t\tone()\n\tcase 2:\n\t\ttwo()\n\t}\n",
     "    switch a {\n        case 1:\n            one()\n        case 2:\n            two()\n    "
     "}\n",
     "    switch a {\n        case 1:\n            one()\n        case 2:\n            if x {\n"
     "                two()\n            }\n    }\n",
     "\tswitch a {\n\tcase 1:\n\t\tone()\n\tcase 2:\n\t\tif x {\n\t\t\ttwo()\n\t\t}\n\t}\n"},
    {"... the last of them", "\tswitch a {\n\tcase 1:\n\t\tone()\n\tcase 2:\n\t\ttwo()\n\t}\n",
     "        case 2:\n            two()\n    }\n",
     "        case 2:\n            two()\n        case 3:\n            if x {\n"
     "                three()\n            }\n    }\n",
     "\tswitch a {\n\tcase 1:\n\t\tone()\n\tcase 2:\n\t\ttwo()\n\tcase 3:\n\t\tif x {\n"
     "\t\t\tthree()\n\t\t}\n\t}\n"},
    {"a slip, and new blocks in other steps", "def f(a):\n    x = 1\n    y = 2\n",
     "      x = 1\n    y = 2\n",
     "      x = 1\n      while x:\n        y = 3\n        while y:\n          y -= 1\n    y = 2\n",
     NULL},
    {"a comment tells no step",
     "class A {\n  /**\n   * @return it.\n   */\n  f() {\n    r = [];\n    if (x) {\n      p = "
     "g();\n"
     "    }\n  }\n}\n",
     "\t * @return it.\n\t */\n\tf() {\n\t\tr = [];\n\t\tif (x) {\n\t\t\tp = g();\n\t\t}\n",
     "\t * @return it.\n\t */\n\tf() {\n\t\tr = [];\n\t\tif (x) {\n\t\t\twhile (k) {\n\t\t\t\tp = "
     "g();\n"
     "\t\t\t}\n\t\t}\n",
     "class A {\n  /**\n   * @return it.\n   */\n  f() {\n    r = [];\n    if (x) {\n      while "
     "(k) {\n"
     "        p = g();\n      }\n    }\n  }\n}\n"},
    {"... nor a line that slipped, which goes by itself",
     "func f() {\n\tif a {\n\t\tb()\n\t}\n\twrite(one)\n\treturn nil\n}\n",
     "\t}\n\t  write(one)\n\treturn nil",
     "\t}\n\tif k != nil {\n\t\t  write(one)\n\t}\n\treturn nil",
     "func f() {\n\tif a {\n\t\tb()\n\t}\n\tif k != nil {\n\t\twrite(one)\n\t}\n\treturn nil\n}\n"},
    {"a new block in the file's steps around a line that slipped",
     ".tip {\n    visibility: visible;\n}\n", ".tip {\n   visibility: visible;\n}",
     ".tip {\n    @media print {\n       visibility: visible;\n    }\n}",
     ".tip {\n    @media print {\n        visibility: visible;\n    }\n}\n"},
    {"two lines that stay, and are as deep in the file",
     "class A\n{\npublic:\n  typedef value_ value;\n  int a;\n};\n",
     "{\n public:\n  typedef value_ value;", "{\n public:\n  typedef value_ other;",
     "class A\n{\npublic:\n  typedef value_ other;\n  int a;\n};\n"},
    {"the replacement is right where all of the search text is not",
     "int main(void)\n{\n    setup(one);\n    if (a != 0)\n        quit(2);\n    return 0;\n}\n",
     "  setup(one);\n  if (a != 0)\n    quit(2);",
     "    if (k) {\n        setup(one);\n    }\n    if (a != 0)\n        quit(2);",
     "int main(void)\n{\n    if (k) {\n        setup(one);\n    }\n    if (a != 0)\n        "
     "quit(2);\n"
     "    return 0;\n}\n"},
    {"... one that is a step too deep, and lines go",
     "f()\n{\n    while (k) {\n        setup(one);\n    }\n    if (a != 0)\n        quit(2);\n}\n",
     "        }\n        if (a != 0)\n            quit(2);", "    if (a != 0)\n        quit(2);",
     "f()\n{\n    while (k) {\n        setup(one);\n    if (a != 0)\n        quit(2);\n}\n"},
    /* lists that are deeper than their keys in one of the texts alone */
    {"a key behind a list",
     "jobs:\n  build:\n    needs:\n      - lint\n      - test\n    runs-on: x\n",
     "    needs:\n    - lint\n    - test\n", "    needs:\n    - lint\n    - test\n    if: true\n",
     "jobs:\n  build:\n    needs:\n      - lint\n      - test\n    if: true\n    runs-on: x\n"},
    {"a key for a list",
     "jobs:\n  build:\n    needs:\n      - lint\n      - test\n    runs-on: x\n",
     "    needs:\n    - lint\n    - test\n", "    needs: lint\n    if: true\n",
     "jobs:\n  build:\n    needs: lint\n    if: true\n    runs-on: x\n"},
    {"an item with a key",
     "spec:\n  containers:\n    - name: app\n      image: a\n      args:\n        - --a\n",
     "  - name: app\n    image: a\n    args:\n    - --a\n",
     "  - name: app\n    image: a\n    args:\n    - --a\n  - name: side\n    image: s\n",
     "spec:\n  containers:\n    - name: app\n      image: a\n      args:\n        - --a\n"
     "    - name: side\n      image: s\n"},
    {"for the caller, who has all less deep",
     "jobs:\n  build:\n    needs:\n    - lint\n    - test\n    runs-on: x\n",
     "needs:\n  - lint\n  - test\n", "needs:\n  - lint\n  - test\nif: true\n",
     "jobs:\n  build:\n    needs:\n    - lint\n    - test\n    if: true\n    runs-on: x\n"},
    {"... but one that came bare, and is deeper than the next in the file, lost its depth",
     "steps:\n  - run: a\n    if: x\n  - run: b\n    if: x\n  - name: c\n",
     "if: x\n- run: b\n  if: x\n- name: c\n", "if: x\n  if: y\n- run: b\n  if: x\n- name: c\n",
     "steps:\n  - run: a\n    if: x\n    if: y\n  - run: b\n    if: x\n  - name: c\n"},
    {"a line out of all that was sent",
     "spec:\n  containers:\n    - name: app\n      args:\n        - --a\n  host: x\n",
     "    args:\n    - --a\n", "    args:\n    - --a\n  - name: side\n", NULL},
    {"... that is as deep as others",
     "spec:\n  containers:\n    - name: app\n      args:\n        - --a\n  host: x\n",
     "    args:\n    - --a\n  host: x\n", "    args:\n    - --a\n  host: x\n  pid: y\n",
     "spec:\n  containers:\n    - name: app\n      args:\n        - --a\n  host: x\n  pid: y\n"},
    {"an item as the file has it", "job:\n  list:\n    - a\n    - b\nnext:\n  k: v\n",
     "  list:\n  - a\n  - b\nnext:\n  k: v\n", "  c = 1\n  list:\n    - a\nnext:\n  k: v\n",
     "job:\n  c = 1\n  list:\n    - a\nnext:\n  k: v\n"},
    {"items of other marks", "    - a\n* b\n* c\n", "  - a\n  * b\n", "  - a\n  * b\n  - d\n",
     NULL},
    /* the lines that were found have other steps than the file around */
    {"steps of their own", FOURS "f() {\n  if (x) {\n    a(1, 2);\n  }\n}\n",
     "f() {\n    if (x) {\n        a(1,  2);\n    }\n}\n",
     "f() {\n    if (x) {\n        a(1,  2);\n        if (y) {\n            b();\n        }\n    "
     "}\n}\n",
     FOURS "f() {\n  if (x) {\n    a(1, 2);\n    if (y) {\n      b();\n    }\n  }\n}\n"},
    {"a line of no depth has the file's", FOURS "a(1, 2);\n", "a(1,  2);\n",
     "try {\n  a(1,  2);\n  b();\n}\n", FOURS "try {\n    a(1, 2);\n    b();\n}\n"},
    /* lines of different depths in the file that the caller has as deep as each other */
    {"a line that changes is as deep as it was",
     "steps:\n  - shell: python\n    env:\n      V: 3\n    run: make\n",
     "steps:\n  - shell: python\n  env:\n    V: 3\n  run: make\n",
     "steps:\n  - shell: python\n  env:\n    V: 3\n  exec: make\n",
     "steps:\n  - shell: python\n    env:\n      V: 3\n    exec: make\n"},
    {"... also where it repeats nothing",
     "steps:\n  - shell: python\n    env:\n      V: 3\n    run\n",
     "steps:\n  - shell: python\n  env:\n    V: 3\n  run\n",
     "steps:\n  - shell: python\n  env:\n    V: 3\n  exec\n",
     "steps:\n  - shell: python\n    env:\n      V: 3\n    exec\n"},
    {"... or only signs", "f(\n    a(\n      b,\n      c),\n    d\n)\n", "\ta(\n\tb,\n\tc),\n\td\n",
     "\ta(\n\tb,\n\te),\n\td\n", "f(\n    a(\n      b,\n      e),\n    d\n)\n"},
    {"a new line is as deep as the line above in its block",
     "steps:\n  - shell: python\n    env:\n      V: 3\n    run: make\n",
     "steps:\n  - shell: python\n  env:\n    V: 3\n  run: make\n",
     "steps:\n  - shell: python\n  env:\n    V: 3\n    W: 5\n  run: make\n  as: x\n",
     "steps:\n  - shell: python\n    env:\n      V: 3\n      W: 5\n    run: make\n    as: x\n"},
    {"... that changes", "steps:\n  - shell: python\n    env: 1\n    run: make\n",
     "steps:\n  - shell: python\n  env: 1\n", "steps:\n  - shell: python\n  evn: 1\n  as: x\n",
     "steps:\n  - shell: python\n    evn: 1\n    as: x\n    run: make\n"},
    {"... behind a line whose end changes",
     "steps:\n  - shell: python\n    env:\n      V: 3\n    run: make test\n",
     "steps:\n  - shell: python\n  env:\n    V: 3\n  run: make test\n",
     "steps:\n  - shell: python\n  env:\n    V: 4\n    W: 5\n  run: make check\n  as: x\n",
     "steps:\n  - shell: python\n    env:\n      V: 4\n      W: 5\n    run: make check\n    as: "
     "x\n"},
    {"... or below", "steps:\n  - shell: python\n    run: make\n",
     "steps:\n  - shell: python\n  run: make\n",
     "steps:\n  - shell: python\n  as: x\n  run: make\n",
     "steps:\n  - shell: python\n    as: x\n    run: make\n"},
    {"an item is as deep as items", "steps:\n  - shell: python\n    run: make\n",
     "steps:\n  - shell: python\n  run: make\n",
     "steps:\n  - shell: python\n  run: make\n  - uses: x\n",
     "steps:\n  - shell: python\n    run: make\n  - uses: x\n"},
    {"each of several lines that change",
     "steps:\n  - shell: python\n    env:\n      V: 3\n    run\n",
     "steps:\n  - shell: python\n  env:\n    V: 3\n  run\n",
     "steps:\n  - shell: python\n  env:\n    w: 4\n  exec\n",
     "steps:\n  - shell: python\n    env:\n      w: 4\n    exec\n"},
    {"beside a line in brackets", "f = {\n    a: [\n        b(),\n        c(),\n    ],\n}\n",
     "\ta: [\n\tb(),\n\tc(),\n\t],\n", "\ta: [\n\tnew(),\n\tb(),\n\tc(),\n\t],\n", NULL},
    {"behind brackets that close", "if x:\n    f(\n        a,\n    )\n    g()\n",
     "\tf(\n\t\ta,\n\t)\n", "\tf(\n\t\ta,\n\t)\n\tnew()\n",
     "if x:\n    f(\n        a,\n    )\n    new()\n    g()\n"},
    {"between lines that differ", "if x:\n        a()\nb()\n", "\tif x:\n\ta()\n\tb()\n",
     "\tif x:\n\ta()\n\tnew()\n\tb()\n", NULL},
    {"a step comes before the blanks that align", "f() {\n\tg(a,  b,\n\t  c);\n}\n", "      c);\n",
     "      c, () => {\n          z();\n      });\n",
     "f() {\n\tg(a,  b,\n\t  c, () => {\n\t\t  z();\n\t  });\n}\n"},
    /* lines that stay where the search text has them, and the file not */
    {"the end of a block, and what follows a line of no depth",
     "f() {\n    if (x) {\n        y(1);\n    }\n\n    a(2);\n    b(3);\n    c(4);\n}\n",
     "        }  \n\n        a(2);\n        b(3);  \n        c(4);\n",
     "        }  \n    k.n,\n        b(3);  \n        c(4);\n", NULL},
    {"the end of a comment, which the replacement has as the file",
     "   */\n\n  h(x) {\n    a(1, 2);\n    b(2);\n  }\n",
     "     */\n\n    h(x) {\n      a(1, 2);\n      b(2);\n", "   */\n\n    a(1, 2);\n    b(3);\n",
     "   */\n\n    a(1, 2);\n    b(3);\n  }\n"},
    /* tabs below a line of no depth, where the file is indented by blanks */
    {"as the file has them elsewhere", "S = a \\\n    b \\\n    c\n\nall:  x\n\nin:\n\tcp a b\n",
     "all: x\n", "all: x\n\tcc a\n",
     "S = a \\\n    b \\\n    c\n\nall:  x\n\tcc a\n\nin:\n\tcp a b\n"},
    {"... and the caller for blanks",
     "            ],\t\n        });\n    } });\n}\n\nf x;\n\n\tm;\n",
     "\t\t\t],\n\t\t});\n\t} });\n}\n\nf x;\n",
     "\t\t\t],\n\t\t});\n\tsub n { b }\no a({\n# c\nf x;\n",
     "            ],\t\n        });\n    sub n { b }\no a({\n# c\nf x;\n\n\tm;\n"},
    {"in a here-document that needs them", FOUR "a  b\n", "a b\n", "cat <<-E\n\tx\n\tE\n",
     FOUR "cat <<-E\n\tx\n\tE\n"},
    {"of a caller who indents so", FOUR "a  b\n", "a b\n", "a b\nh() {\n\tx\n}\n",
     FOUR "a  b\nh() {\n    x\n}\n"},
    /* a tab for every eight columns, of which the caller has spaces */
    {"a block in a block", GNU("\t  c (1,  2);\n"),
     "        {\n          c (1, 2);\n        }\n    }\n",
     "        {\n          c (1, 2);\n          if (x)\n            {\n                d ();\n"
     "            }\n        }\n    }\n",
     GNU("\t  c (1,  2);\n\t  if (x)\n\t    {\n\t\td ();\n\t    }\n")},
    {"... up to a line less deep", GNU("\t  c (1,  2);\n"),
     "          c (1, 2);\n        }\n    }\n",
     "          c (1, 2);\n        }\n      d ();\n    }\n",
     "f (void)\n{\n  if (a)\n    {\n      if (b)\n\t{\n\t  c (1,  2);\n\t}\n      d ();\n    "
     "}\n}\n"},
    {"... and a block behind it", FOUR_STOPS, "    if (a) {\n        b(1);\n    }\n",
     "    if (a) {\n        b(1);\n    }\n    if (c) {\n        d(1);\n    }\n",
     "f {\n    if (a) {\n\tb(1);\n    }\n    if (c) {\n\td(1);\n    }\n}\n"},
    {"... which came less deep", FOUR_STOPS, "if (a) {\n    b(1);\n}\n",
     "if (a) {\n    b(1);\n    if (c) {\n        d(1);\n    }\n}\n",
     "f {\n    if (a) {\n\tb(1);\n\tif (c) {\n\t    d(1);\n\t}\n    }\n}\n"},
    {"... where one line has spaces, and others tabs alone",
     "case x in\n    a)\n\tb;\n\tc ;;\n    d)\n\te;\n",
     "        b;\n        c ;;\n    d)\n        e;\n",
     "        b;\n        if x; then\n                c ;;\n        fi\n    d)\n        e;\n",
     "case x in\n    a)\n\tb;\n\tif x; then\n\t\tc ;;\n\tfi\n    d)\n\te;\n"},
    {"... and where the lines that were found have spaces alone", /* of both kinds in a file */
     "f (void)\n{\n  if (a)\n    {\n      if (b)\n\t{\n\t  c ();\n\t}\n    }\n"
     "      if (d)\n        {\n          e (1,  2);\n        }\n}\n",
     "    if (d)\n      {\n        e (1, 2);\n",
     "    if (d)\n      {\n        e (1, 2);\n        if (x)\n          y ();\n",
     "f (void)\n{\n  if (a)\n    {\n      if (b)\n\t{\n\t  c ();\n\t}\n    }\n"
     "      if (d)\n        {\n          e (1,  2);\n          if (x)\n            y ();\n        "
     "}\n}\n"},
    {"... and where some have and some have not",
     "f (void)\n{\n  if (a)\n    {\n      if (b)\n\t{\n          c (1,  2);\n\t  d (3);\n\t}\n    "
     "}\n}\n",
     "  if (b)\n    {\n      c (1, 2);\n      d (3);\n    }\n",
     "  if (b)\n    {\n      n (1);\n      c (1, 2);\n      d (3);\n      n (2);\n    }\n",
     "f (void)\n{\n  if (a)\n    {\n      if (b)\n\t{\n          n (1);\n          c (1,  2);\n\t  "
     "d (3);\n"
     "\t  n (2);\n\t}\n    }\n}\n"},
    {"... and where most lines of the file have spaces",
     "{\n\"a\": {\n    \"b\": {\n\t\"c\": 1\n    },\n    \"d\": {\n        \"e\":  1,\n        "
     "\"f\": 2\n"
     "    },\n    \"g\":  {}\n}\n}\n",
     "},\n\"g\": {}\n", "},\n\"g\": {\n    \"h\": 1\n}\n",
     "{\n\"a\": {\n    \"b\": {\n\t\"c\": 1\n    },\n    \"d\": {\n        \"e\":  1,\n        "
     "\"f\": 2\n"
     "    },\n    \"g\":  {\n        \"h\": 1\n    }\n}\n}\n"},
    {"... as the lines themselves tell", "\t  a ( b)\n      c\n", "          a (b)\n      c\n",
     "          if d\n            a (b)\n          end\n      c\n",
     "\t  if d\n\t    a ( b)\n\t  end\n      c\n"},
    {"... of which one is less deep than it came", "\t\t  a ( b)\n\tc\n",
     "          a (b)\n    c\n", "          if d\n              a (b)\n          end\n    c\n",
     "\t\t  if d\n\t\t\t  a ( b)\n\t\t  end\n\tc\n"},
    {"tabs are steps, though a line is aligned with one",
     "f {\n\tif (a) {\n\t\tb(1);\n\t}\n}\n   /*\n\t */\n", "    if (a) {\n        b(1);\n    }\n",
     "    if (a) {\n        b(1);\n        if (c) {\n            d(1);\n        }\n    }\n",
     "f {\n\tif (a) {\n\t\tb(1);\n\t\tif (c) {\n\t\t\td(1);\n\t\t}\n\t}\n}\n   /*\n\t */\n"},
    /* all came less deep, and what begins them goes */
    {"a line alone is left", "  f {\n      a(1,  2);\n  }\n", "    a(1, 2);\n}\n", "}\n",
     "  f {\n  }\n"},
    {"... and one behind it is new", "  f {\n      a(1,  2);\n  }\n", "    a(1, 2);\n}\n",
     "}\ng();\n", "  f {\n  }\n  g();\n"},
    {"... that may be as deep as in the file", "  f {\n      a(1,  2);\n  }\n", "    a(1, 2);\n}\n",
     "}\n  g();\n", NULL},
    {"lines lack no same indentation", "  f {\n\ta(1,  2);\n  }\n", "    a(1, 2);\n}\n", "}\n",
     NULL},
    {"for lines of several depths, between two that stay",
     "f(int a,\n    int b,\n    int c);\nf(int d,\n    int  e,\n    int g);\n",
     "  int b,\n  int c);\nf(int d,\n  int e,\n", "  int b,\n  int n,\n  int e,\n",
     "f(int a,\n    int b,\n    int n,\n    int  e,\n    int g);\n"},
    {"tabs are steps, of two of those of other lines",
     "a\n  b\n    c\n  d\n    e\nf\n        g\n            x( 1)\n        y\n    z\nend\n",
     "\t\t\tx(1)\n\t\ty\n\tz\n", "\t\t\tx(1)\n\t\ty\n\tz\nnew\n",
     "a\n  b\n    c\n  d\n    e\nf\n        g\n            x( 1)\n        y\n    z\nnew\nend\n"},
    /* one line, which came bare, and others as the file would have them */
    {"behind a comma", "{\n    \"a\":  1,\n}\n", "\"a\": 1,", "\"a\": 1,\n    \"c\": 3,",
     "{\n    \"a\":  1,\n    \"c\": 3,\n}\n"},
    {"... in brackets that the line opens", "    f(a,  b,\n", "f(a, b,", "f(a, b,\n    c,",
     "    f(a,  b,\n        c,\n"},
    {"behind an element", "<ul>\n    <li>a  b</li>\n</ul>\n", "<li>a b</li>",
     "<li>a b</li>\n    <li>c</li>", "<ul>\n    <li>a  b</li>\n    <li>c</li>\n</ul>\n"},
    {"... the start of one", "<ul>\n    <li  a>\n", "<li a>", "<li a>\n    <b>",
     "<ul>\n    <li  a>\n        <b>\n"},
    {"... one without content", "<p>\n    <br  x>\n", "<br x>", "<br x>\n    <b>",
     "<p>\n    <br  x>\n    <b>\n"},
    {"... one that ends itself", "<p>\n    <A  x />\n", "<A x />", "<A x />\n    <B />",
     "<p>\n    <A  x />\n    <B />\n"},
    {"... in its second line", "<A\n    x=  1 />\n", "x= 1 />", "x= 1 />\n    <B />",
     "<A\n    x=  1 />\n    <B />\n"},
    {"... a comment", "<p>\n    <!--  x -->\n", "<!-- x -->", "<!-- x -->\n    <B />",
     "<p>\n    <!--  x -->\n    <B />\n"},
    {"behind a condition", "m()\n  if(a  b)\n    c()\n  endif()\n", "if(a b)", "if(a b)\n  d()",
     "m()\n  if(a  b)\n    d()\n    c()\n  endif()\n"},
    {"... a call", "m()\n  f(a  b)\n  c()\n", "f(a b)", "f(a b)\n  d()",
     "m()\n  f(a  b)\n  d()\n  c()\n"},
    {"... the name of a class", "module A\n  class  B\n  end\nend\n", "class B", "class B\n  c :d",
     "module A\n  class  B\n    c :d\n  end\nend\n"},
    {"behind an arrow", "{\n    a  =>\n", "a =>", "a =>\n    b", "{\n    a  =>\n        b\n"},
    {"behind what opens no block, less deep than in the file", "f {\n    g {\n        a(1,  2);\n",
     "a(1, 2);\n", "a(1, 2);\n    b();\n", NULL},
    {"... which goes on", "f {\n    g {\n        a(1,  2)\n", "a(1, 2)\n", "a(1, 2)\n    .b();\n",
     "f {\n    g {\n        a(1,  2)\n            .b();\n"},
    {"with an empty line before it", "{\n    a  1;\n}\n", "\na 1;\n", "\na 1;\n    b;\n",
     "{\n    a  1;\n    b;\n}\n"},
    /* what stands in lists, or goes on with a statement, beside a bare first line */
    {"behind a bare item",
     "services:\n  web:\n    image: web:1\n    depends_on:\n    - db\n    - cache\n    ports:\n    "
     "- \"80:80\"\n  db:\n    image: pg\n",
     "- cache\n    ports:\n      - \"80:80\"\n  db:\n",
     "- cache\n    restart: always\n    ports:\n      - \"80:80\"\n  db:\n",
     "services:\n  web:\n    image: web:1\n    depends_on:\n    - db\n    - cache\n    restart: "
     "always\n    ports:\n    - \"80:80\"\n  db:\n    image: pg\n"},
    {"a key behind a list whose key came bare",
     "services:\n  web:\n    image: web:1\n    depends_on:\n      - db\n      - cache\n    "
     "ports:\n      - \"80:80\"\n  db:\n    image: pg\n",
     "depends_on:\n    - db\n    - cache\n",
     "depends_on:\n    - db\n    - cache\n    restart: always\n", NULL},
    {"another key for it",
     "spec:\n  template:\n    spec:\n      volumes:\n        - name: data\n          emptyDir: "
     "{}\n      hostIPC: true\n",
     "volumes:\n      - name: data\n        emptyDir: {}\n",
     "      volumeMounts:\n      - name: data\n        emptyDir: {}\n", NULL},
    {"behind methods called in a chain",
     "class A {\n    void run() {\n        var rows = data.stream()\n                .filter(r -> "
     "r.ok)\n                .toList();\n        save(rows);\n    }\n}\n",
     "        var rows = data.stream()\n            .filter(r -> r.ok)\n            .toList();\n   "
     "     save(rows);\n",
     "        var rows = data.stream()\n            .filter(r -> r.ok)\n            .toList();\n   "
     "     save(rows);\n        if (rows.isEmpty()) {\n            stop();\n        }\n",
     "class A {\n    void run() {\n        var rows = data.stream()\n                .filter(r -> "
     "r.ok)\n                .toList();\n        save(rows);\n        if (rows.isEmpty()) {\n      "
     "      stop();\n        }\n    }\n}\n"},
    {"... less deep for the caller",
     "class A {\n    void run() {\n        var rows = data.stream()\n                .filter(r -> "
     "r.ok)\n                .toList();\n        save(rows);\n    }\n}\n",
     "var rows = data.stream()\n    .filter(r -> r.ok)\n    .toList();\nsave(rows);\n",
     "var rows = data.stream()\n    .filter(r -> r.ok)\n    .toList();\nsave(rows);\nif "
     "(rows.isEmpty()) {\n    stop();\n}\n",
     "class A {\n    void run() {\n        var rows = data.stream()\n                .filter(r -> "
     "r.ok)\n                .toList();\n        save(rows);\n        if (rows.isEmpty()) {\n      "
     "      stop();\n        }\n    }\n}\n"},
    {"... whose first line came bare",
     "class A {\n    void run() {\n        var rows = data.stream()\n                .filter(r -> "
     "r.ok)\n                .toList();\n        save(rows);\n    }\n}\n",
     "var rows = data.stream()\n            .filter(r -> r.ok)\n            .toList();\n        "
     "save(rows);\n",
     "var rows = data.stream()\n            .filter(r -> r.ok)\n            .toList();\n        "
     "save(rows);\n        if (rows.isEmpty()) {\n            stop();\n        }\n",
     "class A {\n    void run() {\n        var rows = data.stream()\n                .filter(r -> "
     "r.ok)\n                .toList();\n        save(rows);\n        if (rows.isEmpty()) {\n      "
     "      stop();\n        }\n    }\n}\n"},
    {"... that is all",
     "class A {\n    void run() {\n        var rows = data.stream()\n                .filter(r -> "
     "r.ok)\n                .toList();\n        save(rows);\n    }\n}\n",
     "var rows = data.stream()\n            .filter(r -> r.ok)\n            .toList();\n",
     "var rows = data.stream()\n            .filter(r -> r.ok)\n            .toList();\n        "
     "log();\n",
     "class A {\n    void run() {\n        var rows = data.stream()\n                .filter(r -> "
     "r.ok)\n                .toList();\n        log();\n        save(rows);\n    }\n}\n"},
    {"behind a statement, of which the first line came bare",
     "def main(argv):\n    parser.add_argument(\"--verbose\",\n            "
     "action=\"store_true\")\n    return 0\n",
     "parser.add_argument(\"--verbose\",\n        action=\"store_true\")\n",
     "parser.add_argument(\"--verbose\",\n        action=\"store_true\")\n    "
     "parser.parse_args(argv)\n",
     "def main(argv):\n    parser.add_argument(\"--verbose\",\n            "
     "action=\"store_true\")\n    parser.parse_args(argv)\n    return 0\n"},
    {"... in the search text alone",
     "def main(argv):\n    parser.add_argument(\"--verbose\",\n            "
     "action=\"store_true\")\n    return 0\n",
     "parser.add_argument(\"--verbose\",\n        action=\"store_true\")\n",
     "    parser.add_argument(\"--verbose\",\n        action=\"store_true\")\n    "
     "parser.parse_args(argv)\n",
     "def main(argv):\n    parser.add_argument(\"--verbose\",\n            "
     "action=\"store_true\")\n    parser.parse_args(argv)\n    return 0\n"},
    {"another line for the one that opened a block",
     "class X:\n  def o(self):\n    with lock:\n        self.a()\n        self.b()\n    self.c()\n",
     "with lock:\nself.a()\nself.b()\nself.c()\n", "lock.acquire()\nself.a()\nself.b()\nself.c()\n",
     NULL},
    {"into a block that went",
     "class X:\n  def o(self):\n    with lock:\n        self.a()\n        self.b()\n    self.c()\n",
     "with lock:\nself.a()\nself.b()\nself.c()\n", "with lock:\nself.c()\n", NULL},
    {"another block, of which all depth was lost",
     "class X:\n  def o(self):\n    with lock:\n        self.a()\n        self.b()\n    self.c()\n",
     "with lock:\nself.a()\nself.b()\nself.c()\n", "with mutex:\nself.a()\nself.b()\nself.c()\n",
     "class X:\n  def o(self):\n    with mutex:\n        self.a()\n        self.b()\n    "
     "self.c()\n"},
    {"a brace that is text", "test: prog\n\t./prog\n\t@echo \"{ begin\"\n\nclean:\n\trm -f prog\n",
     "test: prog\n./prog\n@echo \"{ begin\"\n",
     "test: prog\n./prog\n@echo \"{ begin\"\n\ninstall: prog\ncp prog /x\n", NULL},
    {"behind a comma without brackets",
     "class U\n  validates :name, presence: true,\n                   length: { max: 3 }\n  "
     "has_many :items\nend\n",
     "validates :name, presence: true,\n  length: { max: 3 }\nhas_many :items\n",
     "validates :name, presence: true,\n  length: { max: 3 }\nif tree?\n  has_many :items\nend\n",
     "class U\n  validates :name, presence: true,\n                   length: { max: 3 }\n  if "
     "tree?\n    has_many :items\n  end\nend\n"},
    {"more of a statement, whose first line is as in the file",
     "class A:\n    def f(self):\n        log.info(\"a %s\",\n                 self.x)\n        "
     "return 1\n",
     "log.info(\"a %s\",\n            self.x)\n",
     "        log.info(\"a %s\",\n            self.y,\n            self.x)\n",
     "class A:\n    def f(self):\n        log.info(\"a %s\",\n                 self.y,\n           "
     "      self.x)\n        return 1\n"},
    {"another statement like the bare one",
     "f() {\n    const a = b +\n      c;\n    return a;\n}\n", "const a = b +\n              c;\n",
     "const a = b +\n              c;\n    const d = b +\n              c;\n",
     "f() {\n    const a = b +\n      c;\n    const d = b +\n      c;\n    return a;\n}\n"},
    {"behind a sum whose first line came bare",
     "f() {\n    long a = b +\n            c;\n    return a;\n}\n", "long a = b +\n        c;\n",
     "long a = b +\n        c;\n    g(a);\n",
     "f() {\n    long a = b +\n            c;\n    g(a);\n    return a;\n}\n"},
    {"behind a chain of dots at the ends",
     "func f() {\n\tq := db.\n\t\t\tWhere(1).\n\t\t\tOrder(2)\n\tg(q)\n}\n",
     "\tq := db.\n\t\tWhere(1).\n\t\tOrder(2)\n",
     "\tq := db.\n\t\tWhere(1).\n\t\tOrder(2)\n\tif q {\n\t\th()\n\t}\n",
     "func f() {\n\tq := db.\n\t\t\tWhere(1).\n\t\t\tOrder(2)\n\tif q "
     "{\n\t\th()\n\t}\n\tg(q)\n}\n"},
    {"what goes on with a new statement",
     "f() {\n    const a = b +\n        c;\n    return a;\n}\n",
     "    const a = b +\n      c;\n    return a;\n",
     "    const a = b +\n      c;\n    g(\n        a);\n    return a;\n",
     "f() {\n    const a = b +\n        c;\n    g(\n        a);\n    return a;\n}\n"},
    {"what is new in an old one",
     "{\n        \"a\": [\n            \"b\",\n            \"c\"\n        ]\n}\n",
     "\"a\": [\n      \"b\",\n      \"c\"\n",
     "\"a\": [\n      \"b\",\n      \"d\": {\n        \"c\"\n      },\n",
     "{\n        \"a\": [\n            \"b\",\n            \"d\": {\n                \"c\"\n       "
     "     },\n        ]\n}\n"},
    /* texts that begin in the middle of a statement */
    {"within brackets", "int f(int a,\n        int b)\n{\n    if (a) {\n        g();\n    }\n}\n",
     "    int b)\n{\n    if (a) {\n        g();\n    }\n",
     "    int b)\n{\n    if (b) {\n        if (a) {\n            g();\n        }\n    }\n",
     "int f(int a,\n        int b)\n{\n    if (b) {\n        if (a) {\n            g();\n        "
     "}\n    }\n}\n"},
    {"within a chain",
     "def f\n  rows = q.all\n          .where(a)\n  rows.each do |row|\n    g(row)\n  end\nend\n",
     "    .where(a)\n  rows.each do |row|\n    g(row)\n  end\n",
     "    .where(a)\n  rows.each do |row|\n    h(row)\n    g(row)\n  end\n  if x\n    i\n  end\n",
     "def f\n  rows = q.all\n          .where(a)\n  rows.each do |row|\n    h(row)\n    g(row)\n  "
     "end\n  if x\n    i\n  end\nend\n"},
    {"behind a condition of two lines",
     "f() {\n    if [ a ] &&\n            [ b ]; then\n        c\n    fi\n}\n",
     "    if [ a ] &&\n        [ b ]; then\n        c\n    fi\n",
     "    if [ a ] &&\n        [ b ]; then\n        c\n        d\n    fi\n",
     "f() {\n    if [ a ] &&\n            [ b ]; then\n        c\n        d\n    fi\n}\n"},
    /* lines that are aligned, by blanks behind tabs */
    {"deeper than what was found", "f()\n{\n    a = b;\n    return a;\n}\n",
     "{\n\ta = b;\n\treturn a;\n", "{\n\ta = b;\n\treturn a &&\n\t\t   b;\n",
     "f()\n{\n    a = b;\n    return a &&\n           b;\n}\n"},
    {"less deep than it", "f()\n{\n    return call(a,\n                b);\n}\n",
     "\treturn call(a,\n\t\t\t\tb);\n", "\treturn call_it(\n\t\ta,\n\t\t   b);\n",
     "f()\n{\n    return call_it(\n        a,\n           b);\n}\n"},
    {"otherwise than it", "f()\n{\n    return call(a,\n                  b);\n}\n",
     "\treturn call(a,\n\t\t\t\t  b);\n", "\treturn call(a,\n\t\t\t\t  b,\n\t\t\tc);\n",
     "f()\n{\n    return call(a,\n                  b,\n            c);\n}\n"},
    /* a comment's lines are no step deeper than what opens it */
    {"in a file of spaces", "/* One\n * two. */\nint a;\n\nint f(void)\n{\n    return 1;\n}\n",
     "/* One\n\n * two. */\n", "/* One\n * two. */\nstruct b {\n\tint c;\n};\n",
     "/* One\n * two. */\nstruct b {\n    int c;\n};\nint a;\n\nint f(void)\n{\n    return "
     "1;\n}\n"},
    /* nobody indents by eight columns in a file of four */
    {"a level too deep", "f()\n{\n    call(a, b);\n    return 1;\n}\n",
     "        call(a, b);\n        return 1;\n",
     "        call(a,\n             b);\n        return 1;\n",
     "f()\n{\n    call(a,\n         b);\n    return 1;\n}\n"},
    /* no line has kept any depth */
    {"behind a block that lost its depth", "prog: a.o\n\t$(CC) $^\n\t@echo done\n",
     "prog: a.o\n$(CC) $^\n@echo done\n",
     "prog: a.o\n$(CC) $^\n@echo done\n\ninstall: prog\ncp prog bin\n", NULL},
    {"... and within it", "prog: a.o\n\t$(CC) $^\n\t@echo done\n",
     "prog: a.o\n$(CC) $^\n@echo done\n", "prog: a.o\n$(CC) $^\nstrip $@\n@echo done\n",
     "prog: a.o\n\t$(CC) $^\n\tstrip $@\n\t@echo done\n"},
    {"out of a block that goes",
     "def o(self):\n    with lock:\n        self.a()\n        self.b()\n    self.c()\n",
     "with lock:\nself.a()\nself.b()\nself.c()\n", "self.a()\nself.b()\nself.c()\n", NULL},
    {"... and of one whose first line is another one",
     "def o(self):\n    with lock:\n        self.a()\n    self.c()\n",
     "with lock:\nself.a()\nself.c()\n", "with mutex:\nself.a()\nself.c()\n",
     "def o(self):\n    with mutex:\n        self.a()\n    self.c()\n"},
    /* as the replacement is, but for the blanks behind its lines */
    {"blanks behind lines that are as deep as they are to be", "r {\n  e() {\n    f();\n  }\n}\n",
     "e() { \n  f(); \n}", "  e() { \n    g();\n    f(); \n  }",
     "r {\n  e() {\n    g();\n    f();\n  }\n}\n"},
    {"... which the file has, too", "r {\n  e() { \n    f();\n  }\n}\n", "e() {\n  f();\n}",
     "  e() { \n    g();\n    f();\n  }", "r {\n  e() { \n    g();\n    f();\n  }\n}\n"},
    {"... or which only the file has", "def go():\n    b(2)\n    c(3)  \n", "b(2)\nc(3)\n",
     "    b(22)\n    c(3)\n", "def go():\n    b(22)\n    c(3)  \n"},
    /* search text and replacement at two wrong depths */
    {"both less deep, or deeper, than the file", LOOP, DEEP("b(x)"), BARE("b(x, 1)"), CALLED},
    {"... the other way round", LOOP, BARE("b(x)"), DEEP("b(x, 1)"), CALLED},
    {"... and a new line with them", LOOP, DEEP("b(x)"), BARE("b(x)\n    c(x)"),
     LOOP "        c(x)\n"},
    {"... and a block", LOOP, DEEP("b(x)"), BARE("b(x)\n    if c:\n        c(x)"),
     LOOP "        if c:\n            c(x)\n"},
    {"... and a line that the shift leaves no place", LOOP, BARE("b(x)"), DEEP("b(x)\n#if D"),
     NULL},
    {"at one depth, that the first line has, too", "# Save\n\n  if (a) x\n  if (b) y\n",
     "        if (a) x\n        if (b) y", "    if (a) x2\n    if (b) y",
     "# Save\n\n  if (a) x2\n  if (b) y\n"},
    {"with tabs for blanks", "i = f(\n        a,\n        b=1,\n        c=2)\n",
     "\t\t\t\t\t\t\t\ta,\n\t\t\t\t\t\t\t\tb=1,", "                a,\n                my_b=1,",
     "i = f(\n        a,\n        my_b=1,\n        c=2)\n"},
    {"... and a new line at a depth of its own", "i = f(\n        a,\n        b=1,\n        c=2)\n",
     "\t\t\t\t\t\t\t\ta,\n\t\t\t\t\t\t\t\tb=1,",
     "                a,\n                my_b=(\n                    1),", NULL},
    {"where some of the search text stands as in the file", IF_JS, "if (x) {\n    n\n    m\n}",
     "    if (y) {\n        n\n        m\n    }", NULL},
    {"where the block of the lines goes",
     "f {\n    if (a) {\n        b(1);\n        c(1);\n    }\n}\n",
     "  if (a) {\n      b(1);\n      c(1);\n", "  b(1);\n  c(2);\n",
     "f {\n    b(1);\n    c(2);\n    }\n}\n"},
    {"where the steps alone are others", LOOP, "  for x in y:\n    a(x)\n    b(x)",
     "for x in y:\n  a(x)\n  b(x, 1)", "def f():\nfor x in y:\n    a(x)\n    b(x, 1)\n"},
    /* all texts in steps of their own */
    {"at two depths in each", "impl A {\n    fn next() {\n        self.a()\n    }\n}\n",
     "\tfn next() {\n\t\tself.a()\n\t}\n", "  fn next() {\n    self.b()\n  }\n",
     "impl A {\n    fn next() {\n        self.b()\n    }\n}\n"},
    {"at one: is it to be deeper?", "all: a.o\n\tcc -o a a.o\n\nclean:\n\trm a\n",
     "all: a.o\n    cc -o a a.o\n", "all: a.o\n        cc -o a a.o -lm\n", NULL},
    {"deeper by half of what is two steps", "def f(y):\n\tfor x in y:\n\t\ta(x)\n\t\tc(x)\n",
     "        c(x)\n", "            c(x, 1)\n        d()\n",
     "def f(y):\n\tfor x in y:\n\t\ta(x)\n\t\t\tc(x, 1)\n\t\td()\n"},
    {"the first line alone is as deep as the file", "def f():\n    a = 1\n    b = a\n",
     "        a = 1\n        b = a\n", "    c = 1\n        b = a\n", NULL},
    {"and it has no depth there", "lang: c\nenv:\n- A=1\n", "  lang: c\n  env:\n  - A=1\n",
     "tongue: c\n  env:\n  - A=1\n", "tongue: c\nenv:\n- A=1\n"},
    {"tabs that only a new line has", "def f():\n    a = 1\n    return a\n",
     "    a = 1 \n    return a\n", "    a = 1\n\tb = 2\n    return a\n",
     "def f():\n    a = 1\n    b = 2\n    return a\n"},
    /* lines of the search text alone that stand a blank or so beside where they should */
    {"a block around the lines", LOOP, "        a(x)\n         b(x)\n",
     "        if x:\n            a(x)\n            b(x)\n",
     "def f():\n    for x in y:\n        if x:\n            a(x)\n            b(x)\n"},
    {"... around the one that slipped", LOOP, "        a(x)\n       b(x)\n",
     "        a(x)\n        if x:\n            b(x)\n",
     "def f():\n    for x in y:\n        a(x)\n        if x:\n            b(x)\n"},
    {"... in a file with tabs", "f {\n\ta\n\t\tb\n\t\tc\n}\n", "\t\tb\n\t\t c\n",
     "\t\tif x {\n\t\t\tb\n\t\t\tc\n\t\t}\n", "f {\n\ta\n\t\tif x {\n\t\t\tb\n\t\t\tc\n\t\t}\n}\n"},
    {"... and the first one slipped", LOOP, "         a(x)\n        b(x)\n",
     "        if x:\n            a(x)\n            b(x)\n",
     "def f():\n    for x in y:\n        if x:\n            a(x)\n            b(x)\n"},
    {"a block that goes", LOOP, "    for x in y:\n        a(x)\n      b(x)\n",
     "    a(x)\n    b(x)\n", "def f():\n    a(x)\n    b(x)\n"},
    {"the replacement has the slip, too", LOOP, "        a(x)\n         b(x)\n",
     "        if x:\n            a(x)\n             b(x)\n",
     "def f():\n    for x in y:\n        if x:\n            a(x)\n            b(x)\n"},
    {"... and a new line with it, before it", LOOP, "        a(x)\n         b(x)\n",
     "        a(x)\n         c(x)\n         b(x)\n",
     "def f():\n    for x in y:\n        a(x)\n        c(x)\n        b(x)\n"},
    {"... but a new line has not", LOOP, "        a(x)\n         b(x)\n",
     "        a(x)\n        c(x)\n         b(x)\n",
     "def f():\n    for x in y:\n        a(x)\n        c(x)\n        b(x)\n"},
    {"a new line as deep as one that is right", "f {\n    g(\n     a,\n    b)\n}\n",
     "     a,\n     b)\n", "     a,\n     n,\n     b)\n",
     "f {\n    g(\n     a,\n     n,\n    b)\n}\n"},
    {"all lines slipped by a blank, but for a new one", LOOP, "         a(x)\n         b(x)\n",
     "         a(x)\n        c(x)\n         b(x)\n",
     "def f():\n    for x in y:\n        a(x)\n        c(x)\n        b(x)\n"},
    {"... and it, too", LOOP, "       a(x)\n       b(x)\n",
     "       a(x)\n       c(x)\n       b(x)\n",
     "def f():\n    for x in y:\n        a(x)\n        c(x)\n        b(x)\n"},
    {"all lines of a diff, and a new one beside what is aligned", METHOD ALIGNED END,
     "         log.info(\"a %s\",\n                  self.x)\n",
     "         log.info(\"a %s\",\n                  self.y,\n                  self.x)\n",
     METHOD "        log.info(\"a %s\",\n                 self.y,\n                 self.x)\n" END},
    {"... and a block around them", METHOD ALIGNED END,
     "         log.info(\"a %s\",\n                  self.x)\n",
     "         if x:\n             log.info(\"a %s\",\n                      self.x)\n",
     METHOD "        if x:\n            log.info(\"a %s\",\n                     self.x)\n" END},
    {"more lines slipped than did not, each otherwise", LOOP "        c(x)\n",
     "        a(x)\n         b(x)\n          c(x)\n",
     "        if x:\n            a(x)\n            b(x)\n            c(x)\n", NULL},
    /* ... or whole steps beside it */
    {"a block around the one that slipped", BLOCK, "    a(x)\n    b(x)\n        c(x)\n",
     "    a(x)\n    b(x)\n    if x:\n        c(x)\n",
     "def f():\n    a(x)\n    b(x)\n    if x:\n        c(x)\n"},
    {"... in both texts", BLOCK, "    a(x)\n    b(x)\n        c(x)\n",
     "    a(x)\n    b(x)\n    if x:\n            c(x)\n",
     "def f():\n    a(x)\n    b(x)\n    if x:\n        c(x)\n"},
    {"... and its neighbours", BLOCK, "    a(x)\n    b(x)\n        c(x)\n",
     "    if x:\n        a(x)\n        b(x)\n            c(x)\n",
     "def f():\n    if x:\n        a(x)\n        b(x)\n        c(x)\n"},
    {"... above it", BLOCK, "    a(x)\n    b(x)\n        c(x)\n",
     "    if x:\n        a(x)\n        b(x)\n    c(x)\n",
     "def f():\n    if x:\n        a(x)\n        b(x)\n    c(x)\n"},
    {"two lines slipped alike", BLOCK REST, "    a(x)\n        b(x)\n        c(x)\n" REST,
     "    a(x)\n    if x:\n        b(x)\n        c(x)\n" REST,
     "def f():\n    a(x)\n    if x:\n        b(x)\n        c(x)\n" REST},
    {"no indentation", BLOCK, "    a(x)\n    b(x)\nc(x)\n",
     "    a(x)\n    b(x)\n    if x:\n        c(x)\n",
     "def f():\n    a(x)\n    b(x)\n    if x:\n        c(x)\n"},
    {"... below a block around others, or in it", BLOCK, "    a(x)\n    b(x)\nc(x)\n",
     "    if x:\n        a(x)\n        b(x)\n    c(x)\n", NULL},
    {"... below one that ends", "f {\n    a;\n    b;\n    c;\n}\n", "    a;\n    b;\nc;\n",
     "    if x {\n        a;\n        b;\n    }\n    c;\n",
     "f {\n    if x {\n        a;\n        b;\n    }\n    c;\n}\n"},
    {"a line behind a block around others", "f {\n    a;\n    b;\n    c;\n    d;\n}\n",
     "    a;\n    b;\n        c;\n    d;\n",
     "    if x {\n        a;\n        b;\n    }\n    c;\n    d;\n",
     "f {\n    if x {\n        a;\n        b;\n    }\n    c;\n    d;\n}\n"},
    {"... in both texts, behind one that slipped in one", BLOCK REST,
     "    a(x)\n    b(x)\n     c(x)\nd(x)\n    e(x)\n    g(x)\n",
     "    a(x)\n    n(x)\n    b(x)\n    c(x)\nd(x)\n    e(x)\n    g(x)\n",
     "def f():\n    a(x)\n    n(x)\n    b(x)\n    c(x)\n    d(x)\n    e(x)\n    g(x)\n"},
    {"none in both texts, behind a new line", BLOCK, "    a(x)\n    b(x)\nc(x)\n",
     "    a(x)\n    b(x)\n    n(x)\nc(x)\n", "def f():\n    a(x)\n    b(x)\n    n(x)\n    c(x)\n"},
    {"... in a new block", BLOCK, "    a(x)\n    b(x)\nc(x)\n",
     "    a(x)\n    b(x)\n    if x:\nc(x)\n", NULL},
    {"... or behind one", "f {\n    a;\n    b;\n    c;\n}\n", "    a;\n    b;\nc;\n",
     "    a;\n    if x {\n        b;\n    }\nc;\n",
     "f {\n    a;\n    if x {\n        b;\n    }\n    c;\n}\n"},
    {"the end of a block", "f {\n    g {\n        a;\n        b;\n    }\n}\n",
     "    g {\n        a;\n        b;\n}\n",
     "    g {\n        try {\n            a;\n            b;\n        } catch (e) {\n            "
     "c;\n"
     "        }\n    }\n",
     "f {\n    g {\n        try {\n            a;\n            b;\n        } catch (e) {\n"
     "            c;\n        }\n    }\n}\n"},
    {"tabs in both texts", BLOCK, "    a(x)\n    b(x)\n\tc(x)\n",
     "    a(x)\n    b(x)\n    if x:\n\t\tc(x)\n",
     "def f():\n    a(x)\n    b(x)\n    if x:\n        c(x)\n"},
    {"spaces for tabs in both texts", "f {\n\ta;\n\tb;\n\tc;\n}\n", "\ta;\n\tb;\n    c;\n",
     "\ta;\n\tb;\n\tif x {\n        c;\n\t}\n", "f {\n\ta;\n\tb;\n\tif x {\n\t\tc;\n\t}\n}\n"},
};

typedef struct sides {
    em_slice text, find, insert;
} sides;

/* The text with the edit laid in; nothing where that is refused. */
static em_status lay(const sides *s, em_arena *arena, em_slice *out)
{
    em_occurrences in = {.text = s->text, .arena = arena};
    em_located located;
    em_slice laid;
    bool sound;
    *out = (em_slice){0};
    EM_TRY(em_tiers_locate(&in, s->find, s->insert, EM_TIER_FUZZY, NULL, arena, &located));
    assert_int_equal(located.places.count, 1);
    EM_TRY(em_adjust_place_edges(s->text, located.places, arena));
    const em_tolerant_place *place = &located.places.items[0];
    EM_TRY(em_lay(s->text, place, EM_EOL_LF, arena, &laid, &sound));
    if (!sound)
        return EM_OK;
    EM_TRY(em_arena_join(arena, em_slice_sub(s->text, 0, place->span.start), laid, out));
    return em_arena_join(arena, *out, em_slice_from(s->text, place->span.end), out);
}

static sides sides_of(size_t index)
{
    return (sides){em_slice_of(cases[index].text), em_slice_of(cases[index].find),
                   em_slice_of(cases[index].insert)};
}

static void new_lines_are_as_deep_as_they_belong(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_slice got;
        sides s = sides_of(i);
        assert_int_equal(lay(&s, &arena, &got), EM_OK);
        check_bytes(cases[i].what, got.ptr ? got : EM_LIT("a refusal"),
                    cases[i].wanted ? em_slice_of(cases[i].wanted) : EM_LIT("a refusal"));
    }
}

static em_status lay_one(em_arena *arena, const void *context)
{
    em_slice unused;
    sides s = sides_of(*(const size_t *)context);
    return lay(&s, arena, &unused);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_scarce(cases[i].what, lay_one, &i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_lines_are_as_deep_as_they_belong),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
