import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const README = fileURLToPath(new URL("../../README.md", import.meta.url));
const BEGIN = "<!-- figures: begin (npm run bench -- gateway --write-readme) -->";
const END = "<!-- figures: end -->";

/** Replaces the text between the markers of `bench/README.md`. */
export function writeReadmeTable(markdown: string): void {
  const readme = readFileSync(README, "utf8");
  const begin = readme.indexOf(BEGIN);
  const end = readme.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`bench/README.md has lost its markers: ${BEGIN}`);
  const measuredOn = `Measured ${new Date().toISOString().slice(0, 10)}.`;
  const kept = [readme.slice(0, begin + BEGIN.length), readme.slice(end)];
  writeFileSync(README, kept.join(`\n\n${measuredOn}\n\n${markdown}\n\n`));
}
