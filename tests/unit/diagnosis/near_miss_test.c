#include "diagnosis/near_miss.h"

#include "check_texts.h"

#define PRICES "return totalPrices(items);"
#define PRICE "return totalPrice(items);"

static const struct {
    const char *what, *text, *find, *insert;
    const char *mended, *mended_insert; /* NULL: it is not, or not clearly, what stands there */
} cases[] = {
    {"one more letter", PRICES, PRICE, "return totalPrice(items, tax);", PRICES,
     "return totalPrices(items, tax);"},
    {"one letter less", PRICE, PRICES, "x = totalPrices(items);", PRICE, "x = totalPrice(items);"},
    {"the word becomes another one", PRICES, PRICE, "return totalCost(items);", PRICES,
     "return totalCost(items);"},
    {"the word becomes the file's", PRICES, PRICE, "return totalPrices(all);", PRICES,
     "return totalPrices(all);"},
    {"what was misread comes anew", PRICES, PRICE, "return sumPrice(items);", NULL, NULL},
    {"the word stands elsewhere", PRICES "\ntotalPrice(1);", PRICE, "return 1;", NULL, NULL},
    {"it is a part of others", PRICES "\ntotalPriceOf(1);", PRICE, "return 1;", PRICES,
     "return 1;"},
    {"a word is mistyped", "def remove_contract(self, key):", "def remove_contact(self, key):", "",
     "def remove_contract(self, key):", ""},
    {"a name without much else", "user = getUsers(id)", "user = getUser(id)", "user = 1", NULL,
     NULL},
    {"another name", "return setItem(item, all);", "return getItem(item, all);", "return 1;", NULL,
     NULL},
    {"another number", "return first(2, items);", "return first(1, items);", "return 1;", NULL,
     NULL},
    {"two words", "return totalPrices(lists, more);", "return totalPrice(list, more);", "return 1;",
     NULL, NULL},
    {"a comma is missing", "Lorem ipsum dolor, sit amet", "Lorem ipsum dolor sit amet",
     "Lorem ipse dolor sit amet", "Lorem ipsum dolor, sit amet", "Lorem ipse dolor, sit amet"},
    {"what is around it goes", "Lorem ipsum dolor, sit amet", "Lorem ipsum dolor sit amet",
     "Lorem ipsum", "Lorem ipsum dolor, sit amet", "Lorem ipsum"},
    {"half of what is around it goes", "Lorem ipsum dolor, sit amet", "Lorem ipsum dolor sit amet",
     "Lorem ipsum sit amet", NULL, NULL},
    {"a word comes where it is missing", "Lorem ipsum dolor, sit amet",
     "Lorem ipsum dolor sit amet", "Lorem ipsum dolor et sit amet", NULL, NULL},
    {"a semicolon too many", "console.log(first, last)", "console.log(first, last);",
     "console.log(last);", "console.log(first, last)", "console.log(last)"},
    {"a semicolon comes anew", "console.log(first, last)", "console.log(first, last);",
     "console.log(first, last); go();", NULL, NULL},
    {"a comma too many, where an item comes", "  \"second_value\": 2", "  \"second_value\": 2,\n",
     "  \"second_value\": 2,\n  \"third\": 3\n", "  \"second_value\": 2\n",
     "  \"second_value\": 2,\n  \"third\": 3\n"},
    {"one within, where an item comes", "f(first_value, a)", "f(first_value, a,)",
     "f(first_value, a, b)", NULL, NULL},
    {"another sign, where more comes", "    second_value;", "    second_value,\n",
     "    second_value,\n    third;\n", "    second_value;\n", "    second_value,\n    third;\n"},
    {"an operator is missing", "if (!is_ready(first, last))", "if (is_ready(first, last))",
     "if (yes)", NULL, NULL},
    {"another sign", "Call us today for a quote.", "Call us today for a quote!",
     "Call us now for a quote!", "Call us today for a quote.", "Call us now for a quote."},
    {"another sign, which goes", "Call us today for a quote.", "Call us today for a quote!",
     "Call us", "Call us today for a quote.", "Call us"},
    {"another one that looks like it", "call(first, second, third)", "call(first; second, third)",
     "return nothing;", NULL, NULL},
    {"an operator for a sign", "return total(items, 1);", "return total(items = 1);", "return 1;",
     NULL, NULL},
    {"a sign that is an operator", "let width = load(first)! + margin",
     "let width = load(first)? + margin", "let width = load(last)? + margin",
     "let width = load(first)! + margin", "let width = load(last)! + margin"},
    {"another before a word", "if ?is_ready(first, last)", "if !is_ready(first, last)",
     "if !is_ready(last)", NULL, NULL},
    {"one too many that negates", "if is_ready(first, last)", "if !is_ready(first, last)",
     "if !is_ready(last)", NULL, NULL},
    {"one that is missing", "if !is_ready(first, last)", "if is_ready(first, last)",
     "if is_ready(last)", NULL, NULL},
    {"the end of a line is missing", "alpha = compute(x);", "alpha = compute(x)\n", "alpha = 1\n",
     "alpha = compute(x);\n", "alpha = 1;\n"},
    {"of a line that goes", "alpha = compute(x);", "alpha = compute(x)\n", "",
     "alpha = compute(x);\n", ""},
    {"of a line that may go on in the next", "open_door(left);", "open_door(left)\n",
     "open_door(left)\n  .then(go);\n", NULL, NULL},
    {"in words", "where first = second;", "where first = second\n",
     "where first = second\n  and third = fourth;\n", NULL, NULL},
    {"of a declaration that gets a body", "void open_door(int left);", "void open_door(int left)\n",
     "void open_door(int left)\n{\n  go(left);\n}\n", NULL, NULL},
    {"in its line", "void open_door(int left);", "void open_door(int left)\n",
     "void open_door(int left) { go(left); }\n", NULL, NULL},
    {"of a sentence that goes on", "The door is open.", "The door is open\n",
     "The door is open\nand the window too.\n", NULL, NULL},
    {"of the last column", "  second_value,", "  second_value\n", "  second_value\nFROM y;\n", NULL,
     NULL},
    {"of a head with its body behind it", "def method_of(self, x):", "def method_of(self, x)\n",
     "def method_of(self, x): return 1\n", NULL, NULL},
    {"where a bracket closes more", "  first_value(a),", "  first_value(a)\n",
     "  first_value(a)]\n", NULL, NULL},
    {"before else", "open_door(left);", "open_door(left)\n", "open_door(left) else\n", NULL, NULL},
    {"of a line that gets a block", "open_door(left);", "open_door(left)\n",
     "if (is_shut) {\n  open_door(left)\n}\n", "open_door(left);\n",
     "if (is_shut) {\n  open_door(left);\n}\n"},
    {"of a value that gets one", "  \"door\": left,", "  \"door\": left\n",
     "  \"doors\": {\n  \"door\": left\n}\n", NULL, NULL},
    {"of a line with a neighbour that lacks one, too", "open_door(left);", "open_door(left)\n",
     "open_door(left)\nclose_door(left)\n", NULL, NULL},
    {"of a line that gets a comment", "open_door(left);", "open_door(left)\n",
     "open_door(left) // why\n", NULL, NULL},
    {"of a line that gets a comment above", "open_door(left);", "open_door(left)\n",
     "// why\nopen_door(left)\n", "open_door(left);\n", "// why\nopen_door(left);\n"},
    {"of a list", "  \"name\": \"first\",", "  \"name\": \"first\"\n",
     "  \"name\": \"last\",\n  \"count\": 1\n", "  \"name\": \"first\",\n",
     "  \"name\": \"last\",\n  \"count\": 1,\n"},
    {"of a list that has none there", "  \"name\": \"first\",", "  \"name\": \"first\"\n",
     "  \"name\": \"last\"\n  \"count\": 1\n", NULL, NULL},
    {"where no end can stand", "alpha = compute(x);", "alpha = compute(x)\n", "if (compute(x)) {\n",
     NULL, NULL},
    {"of another kind of line", "open_door(left);", "open_door(left)\n", "if (is_shut)\n", NULL,
     NULL},
    {"of a head that is none any more", "def method_of(self, x):", "def method_of(self, x)\n",
     "method_of = None\n", NULL, NULL},
    {"of a head", "def method_of(self, x):", "def method_of(self, x)\n", "def method_of(self)\n",
     "def method_of(self, x):\n", "def method_of(self):\n"},
    {"where it is there", "alpha = compute(x);", "alpha = compute(x)\n", "alpha = 1;\n", NULL,
     NULL},
    {"of a text that goes on", "alpha = compute(x);", "alpha = compute(x)\n", "alpha = 1", NULL,
     NULL},
    {"nothing is another one", PRICES, PRICES, PRICES, NULL, NULL},
    {"nothing is there", "", PRICES, PRICES, NULL, NULL},
};

static void a_line_is_mended(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_slice text = em_slice_of(cases[i].text), seen = text;
        const char *end = memchr(text.ptr, '\n', text.len);
        seen.len = end ? (size_t)(end - text.ptr) : text.len;
        em_near_miss mended;
        bool is;
        assert_int_equal(em_near_miss_of(text, em_slice_of(cases[i].find), seen,
                                         em_slice_of(cases[i].insert), NULL, &arena, &mended, &is),
                         EM_OK);
        check_size(cases[i].what, is, cases[i].mended != NULL);
        if (!is)
            continue;
        check_bytes(cases[i].what, mended.find, em_slice_of(cases[i].mended));
        check_bytes(cases[i].what, mended.insert, em_slice_of(cases[i].mended_insert));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_mended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
