import { idsWritten } from "./id-cells.ts";
import type { Block, ListItem, Section } from "./page.ts";
import { plainText } from "./words.ts";

/** A part of a section that can give a model's end by itself, if it is not a row of a table. Code is in backticks. */
export interface Statement {
  readonly words: string;
  /** What it is said under: the headings, and the paragraph or the item above a list. Empty for a sentence. */
  readonly context: string;
}

/** Shorter paragraphs of one sentence are the parts of a card, a definition list or another table without a grid. */
const maxPart = 120;

/** A section's heading, sentences, list items, and the lines around each id in a run of short ones. */
export function statementsOf({ headings, blocks }: Section): readonly Statement[] {
  const above = headings.map(({ text }) => text).join(". ");
  const statements: Statement[] = [{ words: headings.at(-1)?.text ?? "", context: "" }];
  let run: string[] = [];
  let leadIn = "";
  const endRun = (): void => {
    statements.push(...aroundIds(run).map((words) => ({ words, context: above })));
    run = [];
  };
  for (const block of blocks) {
    if (isPart(block)) run.push(block.words.text);
    else endRun();
    if (block.kind === "paragraph") {
      leadIn = block.words.text;
      statements.push(
        ...withSubjects(sentencesIn(block.words.text)).map((words) => ({ words, context: "" })),
      );
    }
    if (block.kind === "list") statements.push(...itemsOf(block.items, `${above}. ${leadIn}`));
  }
  endRun();
  return statements;
}

/** The lines from the id before to the id behind, for each line with an id. */
function aroundIds(run: readonly string[]): readonly string[] {
  if (run.length < 2) return [];
  const isLabel = (text: string): boolean => !/[.!?]$/.test(text) && idsWritten(text).length > 0;
  const places = run.flatMap((text, index) => (isLabel(text) ? [index] : []));
  return places.map((_, index) =>
    run.slice((places[index - 1] ?? -1) + 1, places[index + 1]).join(" · "),
  );
}

function isPart(block: Block): block is Extract<Block, { kind: "paragraph" }> {
  if (block.kind !== "paragraph") return false;
  const text = plainText(block.words);
  return text.length <= maxPart && !/[.!?]\s/.test(text);
}

const itemsOf = (items: readonly ListItem[], context: string): readonly Statement[] =>
  items.flatMap(({ words, lists }) => [
    ...withSubjects(sentencesIn(words.text)).map((sentence) => ({
      words: sentence,
      context,
    })),
    ...lists.flatMap((list) =>
      itemsOf(list, `${context} ${words.text}`).map((inner) => ({
        ...inner,
        words: words.text.length > maxPart ? inner.words : withSubject(inner.words, words.text),
      })),
    ),
  ]);

/** A colon does not end what is said of a model: "EOL: May 4". */
const sentencesIn = (text: string): readonly string[] => text.split(/(?<=[.!?])\s+(?=[\p{Lu}`])/u);

/** "It will be shut down on May 4" is about what the sentence before is about. */
const withSubjects = (sentences: readonly string[]): readonly string[] =>
  sentences.map((sentence, index) =>
    /^(?:it|they|this|these|both)\b/i.test(sentence)
      ? withSubject(sentence, sentences[index - 1] ?? "")
      : sentence,
  );

/** The words with those that say what they are about, if they do not name it. */
const withSubject = (words: string, before: string): string =>
  hasId(words) || !hasId(before) ? words : `${before} · ${words}`;
const hasId = (text: string): boolean => idsWritten(text).length > 0;
