// Colours for code, line by line and by its looks alone: comments, strings, numbers, keywords. What a
// line cannot tell (a comment that began ten lines ago) is not coloured. A wrong guess is a wrong
// colour and nothing else.

const words = (text) => new Set(text.split(' '));

const C_WORDS = words('abstract as async await auto bool boolean break case catch char class const constexpr continue debugger default defer delete do double else enum export extends extern false final finally float fn for foreach from func function go goto if impl implements import in inline instanceof int interface is let long loop map match mod module mut namespace new nil none null nullptr of operator override package private protected pub public range readonly ref return select self short signed sizeof static string struct super switch template this throw throws trait true try type typedef typeof union undefined unsafe unsigned use using var virtual void volatile where while with yield');
const HASH_WORDS = words('and as assert async await begin break case class continue def del do done elif else elsif end ensure esac except export false False fi finally for from function global if import in is lambda local match module next nil None nonlocal not null or pass raise rescue return self set super then true True try unless until when while with yield yes no');
const SQL_WORDS = words('select from where insert into values update set delete create table index view drop alter add primary key foreign references not null default and or in is as on join left right inner outer group by order having limit union all distinct case when then else end begin commit local function return if then elseif for while do nil true false');

// comment | string | number | word
const C_LIKE = /(\/\/.*|\/\*.*?(?:\*\/|$)|^\s*\*(?:\s.*|\/.*|$))|("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|`(?:[^`\\]|\\.)*`?)|(\b\d[\w.]*\b)|([A-Za-z_$#@][\w$]*)/g;
const HASH_LIKE = /(#.*)|("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)|(\b\d[\w.]*\b)|([A-Za-z_][\w]*)/g;
const SQL_LIKE = /(--.*)|("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)|(\b\d[\w.]*\b)|([A-Za-z_][\w]*)/g;
const CSS_LIKE = /(\/\*.*?(?:\*\/|$))|("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)|(#[0-9a-fA-F]{3,8}\b|-?\b\d[\w.%]*)|([@-]?[A-Za-z][\w-]*(?=\s*:)|@[\w-]+)/g;
const TAG_LIKE = /(<!--.*?(?:-->|$))|("[^"]*"?|'[^']*')|(&[\w#]+;)|(<\/?[A-Za-z][\w:-]*|\/?>)/g;

const KINDS = [
  ['c h cc cpp cxx hpp hh java js mjs cjs jsx ts tsx go rs cs swift kt kts php scala dart proto json jsonc zig', C_LIKE, C_WORDS],
  ['py rb sh bash zsh yml yaml toml conf cfg ini pl r mk make makefile dockerfile cmake gitignore env tf', HASH_LIKE, HASH_WORDS],
  ['sql lua hs elm ada', SQL_LIKE, SQL_WORDS],
  ['css scss less', CSS_LIKE, null],
  ['html htm xml svg xhtml vue svelte', TAG_LIKE, null],
];

const known = new Map();
for (const [names, pattern, keywords] of KINDS)
  for (const name of names.split(' ')) known.set(name, { pattern, keywords });

export function languageOf(path) {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return known.get(name.slice(name.lastIndexOf('.') + 1)) ?? null;
}

const LONGEST = 1000;

// [{ start, end, name }], in order.
export function tokensOf(text, language) {
  if (!language || text.length > LONGEST) return [];
  const tokens = [];
  for (const found of text.matchAll(language.pattern)) {
    const [all, comment, string, digits, word] = found;
    let name = null;
    if (comment !== undefined) name = 'comment';
    else if (string !== undefined) name = 'string';
    else if (digits !== undefined) name = 'number';
    else if (word !== undefined && (!language.keywords || language.keywords.has(word) || language.keywords.has(word.toLowerCase()) && language.pattern === SQL_LIKE)) name = 'keyword';
    if (name) tokens.push({ start: found.index, end: found.index + all.length, name });
  }
  return tokens;
}
