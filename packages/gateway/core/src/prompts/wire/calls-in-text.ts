import type { AnswerPiece } from "@proj/model-apis";

/** A tool call that may not be complete, and what was given out of its arguments. */
export interface OpenCall {
  readonly call: number;
  readonly given: string;
}

export interface CallsInTextOptions {
  readonly open: OpenCall;
  /** Names of the tools. */
  readonly tools: readonly string[];
  readonly idOfCall: (call: number) => string;
}

/** A call as most models write it; others write its name before its arguments. */
const namedCall = /\{\s*"name"\s*:\s*"([^"\\]+)"\s*,\s*"(?:arguments|parameters)"\s*:\s*(?=\{)/;

/**
 * Reads the rest of an answer from where it was cut off within a tool call: the engine's parsers, which have not seen
 * how the call began, give it out as text. Arguments are JSON, and text between calls is markup.
 */
export class CallsInText {
  readonly #options: CallsInTextOptions;
  #call: number;
  #json = new JsonObjectEnd();
  /** What came since the latest call, if that has its arguments. */
  #between: string | null = null;
  /** The latest call has a name, but no arguments yet. */
  #isNamed: boolean;

  constructor(options: CallsInTextOptions) {
    const { call, given } = options.open;
    this.#options = options;
    this.#call = call;
    this.#isNamed = given === "";
    if (this.#isNamed || this.#json.endIn(given) !== null) this.#between = "";
  }

  push(text: string): AnswerPiece[] {
    const pieces: AnswerPiece[] = [];
    for (let rest = text; rest !== ""; ) {
      if (this.#between !== null) {
        rest = this.#begin(this.#between + rest, pieces);
        continue;
      }
      const end = this.#json.endIn(rest);
      pieces.push({ kind: "arguments", call: this.#call, text: rest.slice(0, end ?? undefined) });
      if (end !== null) this.#between = "";
      rest = end === null ? "" : rest.slice(end);
    }
    return pieces;
  }

  /** Returns the text from where the next arguments begin. */
  #begin(between: string, pieces: AnswerPiece[]): string {
    const place = this.#isNamed ? { name: null, at: between.indexOf("{") } : this.#next(between);
    if (place === null || place.at < 0) {
      this.#between = between;
      return "";
    }
    if (place.name !== null) {
      this.#call += 1;
      const call = this.#call;
      pieces.push({ kind: "tool_call", call, id: this.#options.idOfCall(call), name: place.name });
    }
    this.#between = null;
    this.#isNamed = false;
    this.#json = new JsonObjectEnd();
    return between.slice(place.at);
  }

  #next(between: string): { readonly name: string; readonly at: number } | null {
    const named = namedCall.exec(between);
    if (named !== null) return { name: named[1] ?? "", at: named.index + named[0].length };
    const at = between.indexOf("{");
    const markup = between.slice(0, Math.max(0, at));
    // The name that comes last, and the longest of those that end there.
    const [name] = this.#options.tools
      .filter((tool) => markup.includes(tool))
      .toSorted(
        (one, other) => endOf(markup, other) - endOf(markup, one) || other.length - one.length,
      );
    if (name === undefined || mayBeNamed(between.slice(at + 1).trimStart())) return null;
    return { name, at };
  }
}

/** Whether an object that begins like this may be a call with its name. */
const mayBeNamed = (beginning: string): boolean =>
  beginning.startsWith('"name"') || '"name"'.startsWith(beginning);

const endOf = (text: string, name: string): number => text.lastIndexOf(name) + name.length;

/** Finds the end of a JSON object that comes in pieces. */
class JsonObjectEnd {
  #depth = 0;
  #inString = false;
  #isEscaped = false;

  /** How much of the text belongs to the object; null: all, and more is to come. */
  endIn(text: string): number | null {
    for (let at = 0; at < text.length; at += 1) {
      const character = text.charAt(at);
      if (this.#isEscaped) this.#isEscaped = false;
      else if (this.#inString && character === "\\") this.#isEscaped = true;
      else if (character === '"') this.#inString = !this.#inString;
      else if (this.#inString) continue;
      else if (character === "{" || character === "[") this.#depth += 1;
      else if ((character === "}" || character === "]") && --this.#depth === 0) return at + 1;
    }
    return null;
  }
}
