// What cheerio matches. A line of JSON in, {"page": TEXT, "selectors": [TEXT...]}; one out,
// {"names": [the elements of the page, in document order], "found": [[indices] or an error's text...]}.
import { load } from "cheerio";
import { createInterface } from "node:readline";

function matching($, indices, selector) {
  try {
    // $(selector) would take one that has "<p>" in a string for HTML.
    return $.root().find(selector).toArray().map((element) => indices.get(element)).sort((a, b) => a - b);
  } catch (error) {
    return String(error.message);
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const { page, selectors } = JSON.parse(line);
  const $ = load(page, { scriptingEnabled: false });
  const elements = $("*").toArray();
  const indices = new Map(elements.map((element, index) => [element, index]));
  const found = selectors.map((selector) => matching($, indices, selector));
  console.log(JSON.stringify({ names: elements.map((e) => e.name.toLowerCase()), found }));
}
