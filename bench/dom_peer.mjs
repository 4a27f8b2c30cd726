// cheerio as a server: a line of JSON in, {"file", "operations"}; the seconds of load,
// edits and serialising out, with those of reading and writing the file, which emend does in a call too.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const from = createRequire(`${process.argv[2]}/package.json`);
const { load } = await import(pathToFileURL(from.resolve("cheerio")));

for await (const line of createInterface({ input: process.stdin })) {
  const { file, operations } = JSON.parse(line);
  const started = process.hrtime.bigint();
  const $ = load(readFileSync(file, "utf8"), { scriptingEnabled: false });
  for (const { selector, action, value } of operations)
    action === "addClass" ? $(selector).addClass(value) : $(selector).text(value);
  writeFileSync(file, $.html());
  console.log(JSON.stringify({ seconds: Number(process.hrtime.bigint() - started) / 1e9 }));
}
