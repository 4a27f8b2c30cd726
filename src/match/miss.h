/* miss.h: in what way a search text is not what the file has. */
#ifndef EM_MATCH_MISS_H
#define EM_MATCH_MISS_H

/* What the search text got wrong; the strongest reason where there are several. */
typedef enum em_miss {
    EM_MISS_UNKNOWN, /* nothing like it is there */
    EM_MISS_TABS,    /* tabs for spaces, or the other way round */
    EM_MISS_INDENTATION,
    EM_MISS_BLANKS, /* blanks within or behind lines */
    EM_MISS_BLANK_LINES,
    EM_MISS_LINE_ENDINGS,
    EM_MISS_LAST_BREAK,  /* a line break where the file ends without one */
    EM_MISS_LINE_BREAKS, /* the text goes over other lines */
    EM_MISS_QUOTES,
    EM_MISS_CHARACTERS, /* dashes, no-break spaces, composed or decomposed letters */
    EM_MISS_ENTITIES,   /* &lt; for < */
    EM_MISS_ESCAPES,    /* \n or \" for the character itself */
    EM_MISS_UNESCAPED,  /* the other way round: a line break or a tab for \n or \t */
    EM_MISS_LINE_NUMBERS,
    EM_MISS_FENCE,
    EM_MISS_MARKERS, /* the >>> and <<< of an answer */
    EM_MISS_PATCH,   /* the signs of a patch before its lines */
    EM_MISS_CHANGE,  /* all of a patch, or of a block from SEARCH to REPLACE */
    EM_MISS_CHANGES, /* the same for several places */
    EM_MISS_CASE,
    EM_MISS_TYPO, /* a letter or two */
    EM_MISS_CUT,  /* the first or the last line is not whole */
    EM_MISS_COMMENT,
    EM_MISS_ELIDED,
    EM_MISS_STALE,          /* the text around the change is not as it was */
    EM_MISS_SEVERAL_PLACES, /* a tolerant tier finds it more often than expected */
    EM_MISS_ARTIFACT,       /* the replacement would bring a wrapping into the file */
    EM_MISS_NUL,            /* a NUL, which stands for nothing in any file */
} em_miss;

/* The word for it in answers: "tabs_for_spaces", "stale_text", ...; "not_found" for UNKNOWN. */
const char *em_miss_name(em_miss miss);

#endif
