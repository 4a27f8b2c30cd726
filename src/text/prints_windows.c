/* prints_windows.c: prints of many characters, whose hash rolls over a text. */
#include "text/prints_impl.h"

void em_window_class_init(em_print_class *class, size_t characters, bool any_eol)
{
    *class = (em_print_class){.print = characters, .stride = 1, .by_window = true};
    class->any_eol = any_eol;
    class->leaving = 1;
    for (size_t i = 0; i < characters; i++)
        class->leaving *= EM_WINDOW_BASE;
}

bool em_window_at(const em_print_class *class, em_slice text, size_t start, em_window *window)
{
    *window = (em_window){.start = start, .end = start};
    for (size_t i = 0; i < class->print; i++) {
        if (window->end == text.len)
            return false;
        window->print =
            window->print * EM_WINDOW_BASE + em_window_character(class, text, &window->end);
    }
    return true;
}

void em_tally_add_windows(const em_print_tally *t, em_slice text, const em_print_class *class)
{
    em_window window;
    for (bool is_there = em_window_at(class, text, 0, &window); is_there;
         is_there = em_window_move(class, text, &window))
        em_tally_count(t, window.print);
}

size_t em_rarest_window(const em_print_tally *t, em_slice needle, const em_print_class *class)
{
    size_t best = 0, least = SIZE_MAX;
    em_window window;
    for (bool is_there = em_window_at(class, needle, 0, &window); is_there;
         is_there = em_window_move(class, needle, &window)) {
        size_t count = em_tally_of(t, window.print);
        if (count >= least)
            continue;
        least = count;
        best = window.start;
    }
    return best;
}
