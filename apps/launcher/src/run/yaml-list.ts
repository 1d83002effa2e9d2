import { isMap, isSeq, LineCounter, type ParsedNode, parseDocument } from "yaml";
import { inexactInteger } from "./json-lines.ts";
import type { Entries, Entry } from "./read-simulations.ts";

/** A list, or an object with the list `simulations` as its only member. */
export function readYamlList(content: string): Entries {
  const lines = new LineCounter();
  const document = parseDocument(content, { lineCounter: lines, intAsBigInt: true, merge: true });
  if (document.errors.length > 0) {
    return {
      entries: [],
      problems: document.errors.map(({ message }) => message.split("\n", 1)[0] ?? ""),
    };
  }
  const { contents } = document;
  const others = isMap(contents)
    ? contents.items.map(({ key }) => String(key)).filter((key) => key !== "simulations")
    : [];
  const list: unknown = isMap(contents) ? contents.get("simulations", true) : contents;
  const problems = others.map((key) => `unknown key '${key}' beside simulations`);
  if (contents === null) return { entries: [], problems };
  if (!isSeq<ParsedNode>(list)) {
    return { entries: [], problems: [...problems, "neither a list nor {simulations: [...]}"] };
  }
  const entries: Entry[] = [];
  for (const [index, item] of list.items.entries()) {
    const { line } = lines.linePos(item.range[0]);
    const where = `simulation ${index + 1} (line ${line})`;
    try {
      entries.push({ where, value: plain(item.toJS(document)) });
    } catch (error) {
      problems.push(`${where}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { entries, problems };
}

/** The value in the form that JSON can hold. @throws Error it has none */
function plain(value: unknown): unknown {
  const text: string | undefined = JSON.stringify(value, (_name, inner: unknown) => {
    if (typeof inner === "bigint") {
      if (Number.isSafeInteger(Number(inner))) return Number(inner);
      throw new Error(inexactInteger(String(inner)));
    }
    if (typeof inner === "number" && !Number.isFinite(inner)) {
      throw new Error(`${inner} is not a number that JSON can hold`);
    }
    return inner;
  });
  return text === undefined ? null : JSON.parse(text);
}
