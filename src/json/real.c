#include "json/real.h"

#include "base/slice.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- The locale ------------------------------------------------------------------------- */

static locale_t plain;
static pthread_once_t plain_once = PTHREAD_ONCE_INIT;

static void make_plain(void)
{
    plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

/* From here on this thread, and no other, prints and reads numbers with a point; the result is for
 * uselocale(). That the C library has no memory for its own locale is not known to happen. */
static locale_t use_plain(void)
{
    pthread_once(&plain_once, make_plain);
    return uselocale(plain);
}

/* ---- Writing ---------------------------------------------------------------------------- */

static void write_digits(double value, char text[static EM_REAL_SIZE])
{
    enum { ALWAYS_TRUE = DBL_DIG, ALWAYS_ENOUGH = DBL_DECIMAL_DIG };
    for (int digits = ALWAYS_TRUE; digits <= ALWAYS_ENOUGH; digits++) {
        snprintf(text, EM_REAL_SIZE, "%.*g", digits, value);
        if (fabs(strtod(text, NULL) - value) <= 0)
            break;
    }
    char *plus = strchr(text, '+'); /* of an exponent */
    if (plus)
        memmove(plus, plus + 1, strlen(plus));
    if (!strpbrk(text, ".e"))
        memcpy(text + strlen(text), ".0", sizeof ".0");
}

void em_real_text(double value, char text[static EM_REAL_SIZE])
{
    locale_t was = use_plain();
    write_digits(value, text);
    uselocale(was);
}

/* ---- Reading ---------------------------------------------------------------------------- */

/* The value of a decimal number: 0.DIGITS times ten to the EXPONENT; no digits: zero. */
typedef struct decimal {
    char digits[DBL_DECIMAL_DIG];
    size_t count;
    long long exponent;
} decimal;

/* What the exponent of a number says, as far as it can matter. */
static long long exponent_of(const char *text)
{
    const long long most = 1LL << 60;
    const char *mark = strpbrk(text, "eE");
    long long exponent = mark ? strtoll(mark + 1, NULL, 10) : 0;
    return exponent > most ? most : exponent < -most ? -most : exponent;
}

/* False where it has more digits than a double ever needs. */
static bool decimal_read(const char *text, decimal *out)
{
    size_t zeros = 0;
    bool fraction = false;
    *out = (decimal){.exponent = exponent_of(text)};
    for (text += *text == '-'; *text && *text != 'e' && *text != 'E'; text++) {
        if (*text == '.') {
            fraction = true;
            continue;
        }
        bool leading = *text == '0' && out->count == 0;
        out->exponent += leading ? -(long long)fraction : !fraction;
        zeros += *text == '0' && !leading;
        if (*text == '0')
            continue;
        if (out->count + zeros + 1 > sizeof out->digits)
            return false;
        for (; zeros > 0; zeros--)
            out->digits[out->count++] = '0';
        out->digits[out->count++] = *text;
    }
    if (out->count == 0)
        out->exponent = 0;
    return true;
}

/* Is the double the number that was written, and not only the nearest? */
static bool is_exact(const char *text, double real)
{
    char again[EM_REAL_SIZE];
    decimal written, read;
    write_digits(real, again);
    return decimal_read(text, &written) && decimal_read(again, &read) &&
           written.exponent == read.exponent &&
           em_slice_eq(em_slice_make(written.digits, written.count),
                       em_slice_make(read.digits, read.count));
}

bool em_real_read(const char *text, double *real)
{
    locale_t was = use_plain();
    *real = strtod(text, NULL);
    bool exact = isfinite(*real) && is_exact(text, *real);
    uselocale(was);
    return exact;
}
