import {
  canonicalName,
  cutForms,
  type ModelNames,
  snapshotDate,
  startsOf,
} from "../notice/model-names.ts";
import { isModelValue, isTellingId } from "./model-context.ts";

/** The position of a known id in a text, counted from 1. */
export interface TokenPlace {
  /** The feed's id. */
  readonly model: string;
  /** As written in the text, without a platform's prefix. */
  readonly written: string;
  /** The platform's prefix before it, such as `azure/`; empty if there is none. */
  readonly prefix: string;
  readonly line: number;
  readonly column: number;
}

interface FoundName {
  readonly model: string;
  /** Where it begins in the written name: after a platform's prefix. */
  readonly start: number;
}

/** Characters that continue a name. */
const tail = "[A-Za-z0-9._:@+/-]*";
/** `version: 2024-05-13` next to a name, as in Azure's deployments. */
const versionField = /version["']?\s?[:=]\s?["']?(\d{4}-\d{2}-\d{2}|\d{4})\b/i;
/** How many characters around a name are searched for its version. */
const versionReach = 160;
const ignored = /deprecations-ignore(?:-line)?(?![\w-])/;
const ignoredNext = /deprecations-ignore-next-line/;
const ignoredFile = /deprecations-ignore-file/;

/**
 * Finds the models of a feed in a text, as people and platforms write them: `openai/gpt-4`,
 * `models/gpt-4:generateContent`, `us.anthropic.claude-…`. Names match as a whole: `gpt-4` is not found in
 * `gpt-4-turbo`. An ambiguous word counts only as the value of a model.
 */
export class ModelSearch {
  readonly #names: ModelNames;
  readonly #pattern: RegExp;
  readonly #bases = new Set<string>();

  constructor(names: ModelNames) {
    this.#names = names;
    const { keys } = names;
    for (const key of keys) {
      const base = key.replace(/-(?:\d{4}-\d{2}-\d{2}|\d{4})$/, "");
      if (base !== key) this.#bases.add(base);
    }
    const heads = [...new Set(keys.map((key) => /^[\p{L}\p{N}]+/u.exec(key)?.[0] ?? ""))];
    const written = heads.filter((head) => head !== "").sort((a, b) => b.length - a.length);
    this.#pattern = new RegExp(
      `(?<![\\p{L}\\p{N}_+@.]|(?<!:)-)(?:(?:us|eu|apac|ap|jp|au|ca|sa|me|af|global|us-gov)\\.)?(?:${written.join("|") || "(?!)"})(?![\\p{L}_])${tail}`,
      "giu",
    );
  }

  *find(text: string): Generator<TokenPlace> {
    if (ignoredFile.test(text.slice(0, 1000))) return;
    let line = 1;
    let lineStart = 0;
    for (const { 0: matched, index } of text.matchAll(this.#pattern)) {
      const written = matched.replace(/(?<![._:@+/-])[._:@+/-]+$/, "");
      const name = this.#modelAt(text, index, written);
      if (name === null) continue;
      const at = index + name.start;
      for (let end = text.indexOf("\n", lineStart); end !== -1 && end < index; ) {
        line += 1;
        lineStart = end + 1;
        end = text.indexOf("\n", lineStart);
      }
      if (isIgnored(text, lineStart)) continue;
      const { model, start } = name;
      const prefix = written.slice(0, start);
      yield { model, written: written.slice(start), prefix, line, column: at - lineStart + 1 };
    }
  }

  #modelAt(text: string, index: number, written: string): FoundName | null {
    const end = index + written.length;
    if (text[end] === "_") return null;
    const versioned = this.#versioned(text, index, written);
    if (versioned !== null) return { model: versioned, start: 0 };
    for (const [start, name] of this.#namesAt(text, index, written)) {
      for (const form of cutForms(name)) {
        const [model] = this.#names.find(form);
        if (model === undefined) continue;
        const isMeant = isTellingId(form) || isModelValue(text, index + start, end);
        return isMeant ? { model, start } : null;
      }
    }
    return null;
  }

  /** Candidate names: the whole token, a part after a slash or colon, the base of a fine-tuned model, a path segment. */
  *#namesAt(
    text: string,
    index: number,
    written: string,
  ): Generator<[start: number, name: string]> {
    const before = text.slice(Math.max(0, index - 12), index);
    const tuned = before.endsWith("ft:") ? 0 : written.startsWith("ft:") ? 3 : -1;
    if (tuned !== -1) yield [tuned, written.slice(tuned).split(":", 1)[0] ?? ""];
    for (const name of startsOf(written)) yield [written.length - name.length, name];
    if (/(?:models|deployments)\/$/.test(before)) yield [0, written.split("/", 1)[0] ?? ""];
    if (snapshotDate.test(written)) yield [0, written.replace(snapshotDate, "")];
  }

  /** Azure writes the name and the version of a model separately. */
  #versioned(text: string, index: number, written: string): string | null {
    const base = written.slice(written.lastIndexOf("/") + 1);
    if (!this.#bases.has(canonicalName(base))) return null;
    const end = index + written.length;
    // Within the same deployment: up to the next blank line or closing brace.
    const [after = ""] = text.slice(end, end + versionReach).split(/\n\s*\n|\}/, 1);
    const before =
      text
        .slice(Math.max(0, index - versionReach), index)
        .split(/\n\s*\n|[{}]/)
        .at(-1) ?? "";
    const [, version] = versionField.exec(after) ?? versionField.exec(before) ?? [];
    return version === undefined ? null : (this.#names.find(`${base}-${version}`)[0] ?? null);
  }
}

/** Whether a comment on this line or the one before says to ignore it. */
function isIgnored(text: string, lineStart: number): boolean {
  const end = text.indexOf("\n", lineStart);
  const line = text.slice(lineStart, end === -1 ? undefined : end);
  if (ignored.test(line)) return true;
  if (lineStart === 0) return false;
  const before = text.lastIndexOf("\n", lineStart - 2) + 1;
  return ignoredNext.test(text.slice(before, lineStart - 1));
}
