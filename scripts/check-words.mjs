// Comments, documents, messages and test names are plain English. This finds another language's idioms in
// English words, even across the lines of a comment, and says what to write. It reads every file of the
// repository or, given paths, the files below them.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = /\.(?:[cm]?[jt]sx?|md|html|css|ya?ml|json|py|sh)$/;
const skipped = /(?:^|\/)(?:fixtures|CHANGELOG\.md|pnpm-lock\.yaml|check-words\.mjs)(?:\/|$)/;

const idioms = [
  {
    name: "is no …",
    pattern:
      /\b(?<!\bthere (?:(?:may|must|can|will|would|should) )?)(?:is|are|was|were|be|been|being) no (?!longer|more than|less than|fewer than|better|worse|different|doubt|way|such|one\b)[a-z]/gi,
    say: '"is not a …", or say what it is',
  },
  {
    name: "stands",
    pattern: /\b(?<!you )(?:stands|stand|stood)\b(?! for\b| alone\b| still\b| in for\b|-)/gi,
    say: '"is", "says", "holds"',
  },
  {
    name: "who for a caller",
    pattern:
      /\b[Ww]ho(?:so)?ever\b|\b(?:of|for|to|by|than|from|with|as|does) who\b|(?<=[a-z][.;] )Who (?!are\b|is\b|am\b)(?![^.;]*\?)[a-z]+|; who\b/g,
    say: "name the caller, the row, the session",
  },
  { name: "so many", pattern: /\bso (?:many|much)\b/gi, say: "give the number its name" },
  {
    name: "any longer",
    pattern:
      /\b(?:not|n't|no|nobody|nothing|none|never|without)\b[^.;:]{0,60}?\bany ?(?:longer|more)\b(?! than\b)/gi,
    say: '"no longer"',
  },
  { name: "anew", pattern: /\banew\b/gi, say: '"again"' },
  {
    name: "blocks nobody",
    pattern:
      /\b(?:affect|block|delay|disturb|eject|harm|hinder|interrupt|stop|strand|starve)(?:s|ed|ing)? nobody\b/gi,
    say: "say what goes on regardless",
  },
];

/** The text with each line break and the comment marks around it as one space, and where each line began. */
function flatten(text) {
  const starts = [];
  let flat = "";
  for (const [index, line] of text.split("\n").entries()) {
    starts.push(flat.length);
    flat += index === 0 ? line : line.replace(/^\s*(?:\/\/+|\*+(?!\/)|#+|>)?\s*/, "");
    flat += " ";
  }
  return { flat, starts };
}

const tracked = execFileSync("git", ["ls-files", "-z", ...process.argv.slice(2)], {
  cwd: root,
  encoding: "utf8",
  maxBuffer: 64 << 20,
});
const counts = new Map(idioms.map(({ name }) => [name, 0]));
for (const file of tracked.split("\0")) {
  if (!read.test(file) || skipped.test(file)) continue;
  const { flat, starts } = flatten(readFileSync(join(root, file), "utf8"));
  for (const { name, pattern, say } of idioms) {
    for (const { 0: found, index } of flat.matchAll(pattern)) {
      const line = starts.findLastIndex((start) => start <= index) + 1;
      const around = flat.slice(Math.max(0, index - 60), index + found.length + 60).trim();
      console.error(`${file}:${line}: ${name}: … ${around} …\n    ${say}`);
      counts.set(name, counts.get(name) + 1);
    }
  }
}
for (const [name, count] of counts) console.log(`${String(count).padStart(5)}  ${name}`);
if ([...counts.values()].some((count) => count > 0)) process.exitCode = 1;
