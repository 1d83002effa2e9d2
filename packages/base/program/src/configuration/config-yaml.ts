import {
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type YAMLError,
} from "yaml";
import { ConfigError, type ConfigIssue, unplacedIssue } from "./config-error.ts";
import type { KeyPath } from "./key-path.ts";

export interface ConfigYaml {
  /** Plain data; objects have `__proto__` as an own member if the file has that key. */
  readonly value: unknown;
  /** Position of a key, or of the nearest enclosing key that the file has. */
  locate(path: KeyPath): Position;
  /** Keys that appear twice. The last one counts, so that other errors can be reported too. */
  readonly repeated: readonly ConfigIssue[];
}

export interface Position {
  readonly line: number;
  readonly column: number;
}

/** How many values all aliases may expand to, so that a small file cannot become a huge one. */
const maxAliasCount = 100;

/** @throws ConfigError the text is not YAML, or uses features that a configuration does not need */
export function readConfigYaml(text: string, source: string): ConfigYaml {
  const lines = new LineCounter();
  const positionOf = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const document = parseDocument(text, {
    stringKeys: true,
    merge: true,
    resolveKnownTags: false,
    lineCounter: lines,
    // The pretty form quotes the line, which may contain a credential.
    prettyErrors: false,
  });
  const faults = [...document.errors, ...document.warnings];
  const issues = new Map<string, ConfigIssue>();
  for (const fault of faults) {
    const message = describeFault(fault, text);
    if (!issues.has(message))
      issues.set(message, { path: "", message, ...positionOf(fault.pos[0]) });
  }
  const repeated = [...issues.values()];
  if (faults.some(({ code }) => code !== "DUPLICATE_KEY")) throw new ConfigError(source, repeated);
  try {
    const value: unknown = document.toJS({ maxAliasCount });
    return {
      value,
      locate: (path) => positionOf(nearestOffset(document.contents, path)),
      repeated,
    };
  } catch (error) {
    if (error instanceof RangeError) throw new ConfigError(source, [unplacedIssue(tooDeep)]);
    if (!(error instanceof ReferenceError)) throw error;
    throw new ConfigError(source, [describeAliasFault(document, positionOf)]);
  }
}

const tooDeep = "is nested too deeply";

function describeFault({ code, message, pos }: YAMLError, text: string): string {
  if (text.startsWith("${", pos[0] - 1)) {
    return `inside { } and [ ], a reference \${…} needs quotes`;
  }
  if (code === "DUPLICATE_KEY") {
    return `the key ${/[^\s:]*/.exec(text.slice(pos[0]))?.[0] ?? ""} appears twice`;
  }
  if (code === "RESOURCE_EXHAUSTION" || message.includes("call stack")) return tooDeep;
  if (code === "MULTIPLE_DOCS") return "has more than one YAML document; one is expected";
  // The rest is the text found there, which may be part of a credential.
  return message.split(': "')[0] ?? message;
}

function describeAliasFault(
  document: Document,
  positionOf: (offset: number) => Position,
): ConfigIssue {
  let offset: number | undefined;
  visit(document, {
    Alias: (_key, alias) => {
      if (alias.resolve(document) !== undefined) return undefined;
      offset = alias.range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  if (offset === undefined) return unplacedIssue("its aliases expand to too many values");
  const message = "an alias (*) without an anchor (&) before it; quotes make it a string";
  return { path: "", message, ...positionOf(offset) };
}

/** Walks the nodes as written: the content of an alias or a merge was written elsewhere. */
function nearestOffset(contents: unknown, path: KeyPath): number {
  let offset = 0;
  let node = contents;
  for (const key of path) {
    if (isMap(node)) {
      const pair = node.items.findLast((item) => isScalar(item.key) && item.key.value === key);
      if (pair === undefined) break;
      if (isScalar(pair.key)) offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(key)];
      if (isNode(node)) offset = node.range?.[0] ?? offset;
    } else break;
  }
  return offset;
}
