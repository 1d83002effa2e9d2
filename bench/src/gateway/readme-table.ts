import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const README = fileURLToPath(new URL("../../README.md", import.meta.url));
/**
 * Replaces the text between the markers of `bench/README.md`.
 * @param section the arguments of the bench that writes it
 */
export function writeReadmeTable(markdown: string, section: string): void {
  const begun = `<!-- figures: begin (npm run bench -- ${section} --write-readme) -->`;
  const readme = readFileSync(README, "utf8");
  const begin = readme.indexOf(begun);
  const end = readme.indexOf("<!-- figures: end -->", begin);
  if (begin < 0 || end < begin) throw new Error(`bench/README.md has lost its markers: ${begun}`);
  const measuredOn = `Measured ${new Date().toISOString().slice(0, 10)}.`;
  const kept = [readme.slice(0, begin + begun.length), readme.slice(end)];
  writeFileSync(README, kept.join(`\n\n${measuredOn}\n\n${markdown}\n\n`));
}
