import { readdirSync, readFileSync } from "node:fs";
import { ModelSearch } from "../../src/check/model-tokens.ts";
import { ModelNames } from "../../src/notice/model-names.ts";

const folder = new URL("../fixtures/corpus/", import.meta.url);
const reviewed = new URL("../providers/reviewed/", import.meta.url);

/** Where a file names a model, labelled by a person: `⟦written⟧`, or `⟦written⇒id⟧` if they differ. */
const mark = /⟦([^⟧⇒]+)(?:⇒([^⟧]+))?⟧/g;

export interface Place {
  readonly line: number;
  readonly column: number;
  readonly model: string;
}

export interface LabelledFile {
  readonly name: string;
  readonly text: string;
  readonly places: readonly Place[];
}

/** Realistic files, and the places in them that name a model. */
export const corpus = (): readonly LabelledFile[] =>
  readdirSync(folder).map((name) => label(name, readFileSync(new URL(name, folder), "utf8")));

function label(name: string, marked: string): LabelledFile {
  const places: Place[] = [];
  const lines = marked.split("\n").map((markedLine, index) => {
    let removed = 0;
    return markedLine.replace(
      mark,
      (whole, written: string, id: string | undefined, at: number) => {
        places.push({ line: index + 1, column: at - removed + 1, model: id ?? written });
        removed += whole.length - written.length;
        return written;
      },
    );
  });
  return { name, text: lines.join("\n"), places };
}

/** Every id on the ten pages of August 2026. */
function knownIds(): readonly string[] {
  return readdirSync(reviewed).flatMap((name) => {
    const facts: { model_id: string; aliases?: string[] }[] = JSON.parse(
      readFileSync(new URL(name, reviewed), "utf8"),
    );
    return facts.flatMap(({ model_id, aliases = [] }) => [model_id, ...aliases]);
  });
}

export interface Score {
  readonly found: number;
  readonly missed: readonly string[];
  readonly invented: readonly string[];
}

const search = new ModelSearch(new ModelNames(knownIds()));

/** Which of a file's places the search finds, and its false positives. */
export function scoreOf({ name, text, places }: LabelledFile): Score {
  const key = ({ line, column, model }: Place): string => `${name}:${line}:${column} ${model}`;
  const labelled = new Set(places.map(key));
  const found = new Set([...search.find(text)].map(key));
  return {
    found: [...labelled].filter((place) => found.has(place)).length,
    missed: [...labelled].filter((place) => !found.has(place)),
    invented: [...found].filter((place) => !labelled.has(place)),
  };
}
