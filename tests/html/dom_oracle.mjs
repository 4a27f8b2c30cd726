// What cheerio makes of operations, and whether other bytes read as that.
//
// Lines of JSON in, one out for each. {"page": BASE64} loads a page and answers its elements that have
// a start tag in the source. {"cases": [...]} judges operations on it: `ours` is the page as somebody
// else wrote it (base64), or null where that was refused. The verdicts:
//
//   equal   ours reads as the tree that cheerio has
//   context it reads as that, the value being parsed as HTML for that place: a <tr> put right into a
//           <table> has a <tbody> around it; or, of a part of a page, with <head> and <body> as what is in them;
//           or an insertion at the end of <body> stands before </body>, behind which there is more
//   blanks  ours reads as cheerio's tree but for white space where emend keeps or takes it on purpose (see meant())
//   right   refused, and what cheerio writes does not read as the tree that it has
//   refused, differs
import { load } from "cheerio";
import { cloneNode, isTag, isText, Text } from "domhandler";
import { createInterface } from "node:readline";

const OPTIONS = { scriptingEnabled: false };
const VOID = new Set(("area base basefont bgsound br col embed frame hr img input keygen link meta param " +
  "source track wbr").split(" "));
const RAW = new Set("script style xmp iframe noembed noframes plaintext".split(" "));
const RCDATA = new Set(["title", "textarea"]);
const HTML = "http://www.w3.org/1999/xhtml"; // a row that cheerio puts into a <template> has no namespace
const SVG_OR_MATH = /svg$|MathML$/;
const BLANKS_AT_END = /[ \t\n\f\r]+$/, BLANKS_AT_START = /^[ \t\n\f\r]+/;

// ---- Trees as text --------------------------------------------------------------------------------

function attributes(node, classesAsSet) {
  return Object.keys(node.attribs).sort().map((name) => {
    let value = node.attribs[name];
    if (name === "class") {
      const tokens = value.split(/[ \t\n\f\r]+/).filter(Boolean);
      value = (classesAsSet ? [...new Set(tokens)].sort() : tokens).join(" ");
    }
    return ` ${name}=${JSON.stringify(value)}`;
  }).join("");
}

// <html>, <head> and <body> that the page does not write.
const isFrame = (node) => isTag(node) && ["html", "head", "body"].includes(node.name) && isImplied(node);

// Is it a part of a page: without a doctype, and without these?
function isPart(root) {
  const around = root.children.flatMap((n) => (n.name === "html" ? [n, ...n.children] : [n]));
  return around.every((n) => n.type !== "directive" &&
    !(isTag(n) && ["html", "head", "body"].includes(n.name) && !isImplied(n)));
}

// Attributes as sets, blanks in classes as one, neighbouring texts joined. `unframed`: of a part, which of <html>,
// <head> and <body> hold what, and white space before all else, does not count.
function canonical(root, classesAsSet, unframed = false) {
  const out = [];
  let text = "";
  const flush = () => {
    if (unframed && out.every((line) => line.startsWith("<!"))) text = text.replace(BLANKS_AT_START, "");
    if (text) out.push(JSON.stringify(text));
    text = "";
  };
  const walk = (node) => {
    if (unframed && isFrame(node)) {
      for (const child of node.children) walk(child);
      return;
    }
    if (isText(node)) {
      text += node.data;
      return;
    }
    flush();
    if (isTag(node)) out.push(`<${node.namespace ?? HTML} ${node.name}${attributes(node, classesAsSet)}>`);
    else if (node.type === "comment" || node.type === "directive") out.push(`<!${JSON.stringify(node.data)}>`);
    for (const child of node.children ?? []) walk(child);
    flush();
    if (isTag(node)) out.push("</>");
  };
  walk(root);
  flush();
  return out.join("\n");
}

function reads(text, classesAsSet) {
  return canonical(load(text, OPTIONS).root()[0], classesAsSet);
}

// What cheerio writes, but for faults of its serializer that have nothing to do with operations: it drops the
// newline that HTML drops at the beginning of <pre>, even where another follows, and the identifiers of a doctype,
// and what was "&#13;" it writes as a CR.
function written(root) {
  const $ = load(cloneNode(root, true), OPTIONS);
  $("pre, textarea, listing").each((_, node) => {
    const first = node.children[0];
    if (first && isText(first) && first.data.startsWith("\n")) first.data = "\n" + first.data;
  });
  return $.root()[0].children.map((n) => (n.type === "directive" ? `<${n.data}>` : $.html(n))).join("")
    .replaceAll("\r", "&#13;");
}

// ---- Elements -------------------------------------------------------------------------------------

const isVoid = (node) => SVG_OR_MATH.test(node.namespace)
  ? node.children.length === 0 && !node.sourceCodeLocation?.endTag : VOID.has(node.name);
const isImplied = (node) => isTag(node) && !node.sourceCodeLocation?.startTag;
const isOpen = (node) => isTag(node) && !isVoid(node) && !node.sourceCodeLocation?.endTag;
// A template's children stand in a document of their own.
const holder = (node) => node.name === "template" && node.children[0]?.type === "root" ? node.children[0] : node;

function describe(node, index, byte, seen) {
  const tag = node.sourceCodeLocation?.startTag;
  if (!tag || seen.has(tag.startOffset)) return null;
  seen.add(tag.startOffset);
  const html = !SVG_OR_MATH.test(node.namespace);
  const kind = isVoid(node) ? "void" : html && RAW.has(node.name) ? "raw" : html && RCDATA.has(node.name) ? "rcdata" : "";
  const attrs = Object.fromEntries(Object.entries(node.attribs).filter(([n]) => !node["x-attribsPrefix"]?.[n]));
  return { index, at: byte(tag.startOffset), name: node.name, kind, attrs, parent: node.parent?.name ?? null };
}

// ---- What is meant --------------------------------------------------------------------------------

// What begins an element of a table that the page does not write: without such a child there is none.
const BEGUN_BY = { tbody: ["tr"], colgroup: ["col"], tr: ["td", "th"] };

// What stands before the first that begins it now is beside it.
function beginAnew($, implied) {
  while (isImplied(implied) && BEGUN_BY[implied.name]) {
    const first = implied.children.findIndex((n) => isTag(n) && BEGUN_BY[implied.name].includes(n.name));
    const around = implied.parent;
    $(implied).before(first < 0 ? [...implied.children] : implied.children.slice(0, first));
    if (first < 0) $(implied).remove();
    implied = around;
  }
}

function remove($, node) {
  const parent = node.parent;
  $(node).remove();
  beginAnew($, parent);
}

function act($, node, op) {
  const at = $(node), inside = $(holder(node)), value = op.value;
  switch (op.action) {
    case "setText": return inside.text(value);
    // As a context of fragments, parse5 takes <noscript> for raw text whatever scripting is.
    case "setHTML": return node.name === "noscript" ? at.empty().append(value) : inside.html(value);
    case "setAttribute": return at.attr(op.attr, value);
    case "removeAttribute": return at.removeAttr(op.attr);
    case "addClass": return at.addClass(value);
    case "removeClass": return at.removeClass(value);
    case "replaceClass": return at.removeClass(op.oldClass).addClass(op.newClass);
    case "remove": return remove($, node);
  }
  switch (op.position) {
    case "beforebegin": return at.before(value);
    case "afterbegin": return inside.prepend(value);
    case "beforeend": return inside.append(value);
    default: return at.after(value);
  }
}

function put(parent, index, text) {
  const node = new Text(text);
  node.parent = parent;
  parent.children.splice(index, 0, node);
}

// The text that ends where an open element ends.
function lastText(node) {
  const last = holder(node).children.at(-1);
  if (!last || isText(last)) return last;
  return isOpen(last) ? lastText(last) : undefined;
}

const blanksAtEnd = (node) => (node && (lastText(node)?.data.match(BLANKS_AT_END) ?? [""])[0]) || "";

function textBefore(node) {
  const previous = node.prev;
  if (!previous && isImplied(node.parent)) return textBefore(node.parent);
  if (!previous || isText(previous)) return previous;
  return isOpen(previous) ? lastText(previous) : undefined;
}

function textBehind(node) {
  for (let at = node; at && isTag(at); at = at.parent) {
    if (at.next) return isText(at.next) ? at.next : undefined;
    if (!isOpen(at.parent)) return undefined;
  }
  return undefined;
}

// Lines that only the element stands on go with it; `kept` is white space that stays.
function removeLines(node, kept) {
  const before = textBefore(node), behind = textBehind(node);
  let rest = kept;
  if (/^[ \t]*\n/.test(kept)) {
    rest = kept.replace(/^[ \t]*\n/, "");
  } else if (behind) {
    rest = kept.replace(/^[ \t]+/, "");
    behind.data = behind.data.replace(rest ? /^/ : /^[ \t]*(\n|$)/, "");
  }
  if (before) before.data = before.data.replace(/[ \t]+$/, "");
  return rest;
}

// White space that came to stand behind an open element, or first in one that has no tag, is elsewhere for a
// parser: at the end of what is open before it, beside the one that has no tag, or (before <head>) nowhere.
function* placed(root, parent, index) {
  yield root;
  if (!parent.parent) return; // it went with its last row or cell
  const text = parent.children[index], begins = index === 0 && isImplied(parent);
  const siblings = begins ? parent.parent.children : parent.children;
  let at = begins ? siblings.indexOf(parent) : index, before = siblings[at - 1];
  const blanks = (text && isText(text) && text.data.match(BLANKS_AT_START)?.[0]) || "";
  if (!blanks || !(begins || (isOpen(before ?? text) && blanks === text.data))) return;
  text.data = text.data.slice(blanks.length);
  if (begins) yield root;
  if (!isOpen(before ?? text)) return yield (put(parent.parent, at, blanks), root);
  while (isOpen(before.children.at(-1) ?? text)) before = before.children.at(-1);
  put(before, before.children.length, blanks);
  yield root;
}

// What emend may make besides what cheerio does: white space behind an element without an end tag, or
// behind </body>, stays behind its new content and when it is removed; whole lines go with an element; and see placed().
function* meant(fresh, op) {
  const ended = op.action === "setText" || op.action === "setHTML", removed = op.action === "remove";
  const atEnd = op.position === "beforeend";
  if (op.position === "beforebegin") {
    const { $, root, node } = fresh(), { parent, prev } = node;
    act($, node, op);
    if (!prev && isImplied(parent)) yield* placed(root, parent, 0);
    return;
  }
  if (!ended && !removed && !atEnd) return;
  const blanks = (node) => isOpen(node) || node.name === "body" ? blanksAtEnd(node) : "";
  const longest = blanks(fresh().node).length;
  for (let length = longest; length >= 0; length--) {
    for (const lines of removed ? [true, false] : [false]) {
      const { $, root, node } = fresh();
      let kept = blanks(node).slice(longest - length);
      if (atEnd && length > 0 && isText(holder(node).children.at(-1) ?? {})) {
        const last = holder(node).children.at(-1);
        last.data = last.data.slice(0, last.data.length - length);
      } else if (atEnd) continue;
      if (lines) kept = removeLines(node, kept);
      const { parent } = node, index = parent.children.indexOf(node);
      act($, node, op);
      if (removed && kept) put(parent, index, kept);
      if (!removed && kept) put(holder(node), holder(node).children.length, kept);
      if (removed) yield* placed(root, parent, index);
      else yield root;
      if (node.name !== "body" && length > 0 && !removed) return;
      if (length > 0 && removed) length = lines ? length : 1;
    }
  }
}

// ---- The two requests -----------------------------------------------------------------------------

class Page {
  constructor(bytes) {
    const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    this.encoding = "utf8";
    try {
      this.text = utf8.decode(bytes);
    } catch {
      this.encoding = "latin1";
      this.text = bytes.toString("latin1");
    }
    this.bom = this.text.startsWith("\ufeff") ? 3 : 0;
    this.text = this.text.replace(/^\ufeff/, "");
    this.root = load(this.text, { ...OPTIONS, sourceCodeLocationInfo: true }).root()[0];
    this.tree = canonical(this.root, false);
    this.isPart = isPart(this.root);
    this.survives = reads(written(this.root), false) === this.tree;
  }

  decode(bytes) {
    return bytes.toString(this.encoding).replace(/^\ufeff/, "");
  }

  targets() {
    const seen = new Set();
    let at = 0, bytes = this.bom;
    const places = new Map();
    const byte = (offset) => places.get(offset);
    const nodes = load(this.root, OPTIONS)("*").toArray();
    const offsets = nodes.map((n) => n.sourceCodeLocation?.startTag?.startOffset).filter((n) => n !== undefined);
    for (const offset of [...new Set(offsets)].sort((a, b) => a - b)) {
      bytes += Buffer.byteLength(this.text.slice(at, offset), this.encoding);
      at = offset;
      places.set(offset, bytes);
    }
    return nodes.map((n, i) => describe(n, i, byte, seen)).filter(Boolean);
  }

  fresh(index) {
    const root = cloneNode(this.root, true);
    const $ = load(root, OPTIONS);
    return { $, root, node: $("*")[index] };
  }

  // The page after an insertion of what the DOM standard's insertAdjacentHTML would make of the value.
  inContext(op) {
    const { $, root, node } = this.fresh(op.index);
    const inside = op.position === "afterbegin" || op.position === "beforeend";
    const context = cloneNode(inside ? node : node.parent, false);
    act($, node, { ...op, value: isTag(context) ? $(context).html(op.value)[0].children.slice() : op.value });
    return root;
  }

  // Of <body>, behind whose end tag more of its content stands: the page after an insertion before that tag.
  beforeTail(op) {
    const { $, root, node } = this.fresh(op.index);
    const tag = node.name === "body" && op.position === "beforeend" && node.sourceCodeLocation?.endTag;
    if (!tag) return root;
    const at = node.children.findIndex((n) => !isText(n) && n.sourceCodeLocation?.startOffset >= tag.endOffset);
    const behind = node.children[at], before = node.children[at - 1];
    if (!behind) return root;
    // A text before it may have begun before the tag.
    const between = this.text.slice(tag.endOffset, behind.sourceCodeLocation.startOffset).replaceAll("\r\n", "\n");
    const parts = isText(before ?? {}) && between;
    if (parts) before.data = before.data.slice(0, -between.length);
    $(behind).before(op.value);
    if (parts) put(node, node.children.indexOf(behind), between);
    return root;
  }

  unframed(root, asSet) {
    return canonical(root, asSet, true);
  }

  // What emend wrote, as it reads, with the places of tags.
  reread(op) {
    const text = this.decode(Buffer.from(op.ours, "base64"));
    return load(text, { ...OPTIONS, sourceCodeLocationInfo: true }).root()[0];
  }

  judge(op) {
    const asSet = op.action === "replaceClass" || op.action === "addClass"; // it adds "b" to "a\nb" again
    const { $, root, node } = this.fresh(op.index);
    act($, node, op);
    const theirs = canonical(root, asSet);
    if (op.ours === null) {
      const survives = !this.survives || reads(written(root), asSet) === theirs;
      return survives ? "refused" : "right";
    }
    const ours = reads(this.decode(Buffer.from(op.ours, "base64")), asSet);
    if (ours === theirs) return "equal";
    if (op.position && canonical(this.inContext(op), asSet) === ours) return "context";
    if (canonical(this.beforeTail(op), asSet) === ours) return "context";
    if (this.isPart && this.unframed(root, asSet) === this.unframed(this.reread(op), asSet)) return "context";
    for (const tree of meant(() => this.fresh(op.index), op)) if (canonical(tree, asSet) === ours) return "blanks";
    return { theirs, ours };
  }
}

let page;
for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  if (request.page !== undefined) {
    page = new Page(Buffer.from(request.page, "base64"));
    console.log(JSON.stringify({ survives: page.survives, targets: page.targets() }));
  } else {
    console.log(JSON.stringify(request.cases.map((op) => page.judge(op))));
  }
}
