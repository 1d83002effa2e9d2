import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { fileURLToPath } from "node:url";

export const root: string = fileURLToPath(new URL("../../../../", import.meta.url));

export interface PrintedCommand {
  readonly file: string;
  /** Without comments, and with continued lines joined. */
  readonly text: string;
  readonly words: readonly string[];
  /** It is part of a sentence, which may leave out arguments. */
  readonly isInSentence: boolean;
}

const documents = [
  "*.md",
  "docs/*.md",
  "{apps/*,packages/*/*}/README.md",
  "bench/README.md",
  "deploy/**/*.md",
];

/** Every command in the documents: in shell blocks, and in code within a sentence. */
export async function printedCommands(): Promise<PrintedCommand[]> {
  const commands: PrintedCommand[] = [];
  for await (const file of glob(documents, { cwd: root, exclude: ["**/node_modules/**"] })) {
    const text = readFileSync(`${root}${file}`, "utf8");
    const add = (isInSentence: boolean) => (command: string) =>
      commands.push({ file, text: command, words: wordsOf(command), isInSentence });
    [...inBlocks(text)].forEach(add(false));
    [...inSentences(text)].forEach(add(true));
  }
  return commands;
}

function* inBlocks(text: string): Generator<string> {
  for (const [, language, block = ""] of text.matchAll(/^```(sh|console)\n([\s\S]*?)^```/gm)) {
    for (const line of block.replace(/\\\n\s*/g, "").split("\n")) {
      if (language === "console" && !line.startsWith("$ ")) continue;
      const command = line
        .replace(/^\$ /, "")
        .replace(/(^|\s)#.*$/, "")
        .trim();
      if (command !== "") yield command;
    }
  }
}

function* inSentences(text: string): Generator<string> {
  const sentences = text.replace(/^```[\s\S]*?^```/gm, "");
  for (const [, code = ""] of sentences.matchAll(/`([^`]+)`/g)) {
    if (/^(?:npm|npx|pnpm|launcher|deprecations|paper-trading|points|arena) [a-z-]/.test(code))
      yield code.replace(/\s+/g, " ");
  }
}

/** Split as a shell would, as far as documents need. */
const wordsOf = (command: string): string[] =>
  [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  );
