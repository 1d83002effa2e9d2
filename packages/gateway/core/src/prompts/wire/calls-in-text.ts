import type { AnswerPiece } from "@proj/model-apis";

/** A tool call that may not be complete. */
export interface OpenCall {
  readonly call: number;
  /** What was given out of its arguments. */
  readonly given: string;
  /** The model's markup before the call's name; empty: not known. */
  readonly opening: string;
  /** Its markup between the name and the arguments; null: they have not begun. */
  readonly middle: string | null;
}

/** Reads what an engine gives out as text where it was asked to go on within a tool call. */
export interface CallReader {
  /** The rest of the call cannot be told from other text. */
  readonly isLost: boolean;
  push(text: string): AnswerPiece[];
}

export interface CallsInTextOptions {
  readonly open: OpenCall;
  /** Names of the tools. */
  readonly tools: readonly string[];
  readonly idOfCall: (call: number) => string;
}

/** What is between a name and its arguments where both are members of an object. */
const namedArguments = /^"\s*,\s*"(?:arguments|parameters)"\s*:\s*(?=\{)/;
const maxMiddle = 128;

/**
 * Reads the rest of an answer from where it was cut off within a tool call: the engine's parsers, which have not seen
 * how the call began, give it out as text. Arguments are JSON. A further call begins with the very markup of the open
 * one; any other text behind a call is dropped, as engines do.
 */
export class CallsInText implements CallReader {
  isLost = false;
  readonly #options: CallsInTextOptions;
  readonly #opening: string;
  /** How a call goes on behind its opening, by its name. */
  #heads: ReadonlyMap<string, string> = new Map();
  #call: number;
  #json = new JsonObjectEnd();
  /** What may belong to the beginning of the next arguments; null: arguments have begun. */
  #between: string | null = null;
  /** The latest call has a name, but no arguments yet. */
  #isNamed = false;

  constructor(options: CallsInTextOptions) {
    const { call, given, opening, middle } = options.open;
    this.#options = options;
    this.#opening = opening.trimStart();
    this.#call = call;
    if (middle === null) this.#isNamed = true;
    else this.#learn(middle);
    if (this.#isNamed || this.#json.endIn(given) !== null) this.#between = "";
  }

  push(text: string): AnswerPiece[] {
    const pieces: AnswerPiece[] = [];
    for (let rest = text; rest !== "" && !this.isLost; ) {
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

  /** Returns the text from where the next arguments begin; empty: they have not. */
  #begin(between: string, pieces: AnswerPiece[]): string {
    return this.#isNamed ? this.#beginNamed(between) : this.#beginCall(between, pieces);
  }

  #beginNamed(between: string): string {
    const [middle] = namedArguments.exec(between) ?? [];
    this.#between = between;
    this.isLost = middle === undefined && between.length > maxMiddle;
    if (middle === undefined) return "";
    this.#learn(middle);
    return this.#beginArguments(between.slice(middle.length));
  }

  #beginCall(between: string, pieces: AnswerPiece[]): string {
    const opening = this.#opening;
    let from = opening === "" ? -1 : between.indexOf(opening);
    for (; from >= 0; from = between.indexOf(opening, from + 1)) {
      const at = from + opening.length;
      for (const [name, head] of this.#heads) {
        if (between.startsWith(head, at)) {
          this.#call += 1;
          const call = this.#call;
          pieces.push({ kind: "tool_call", call, id: this.#options.idOfCall(call), name });
          return this.#beginArguments(between.slice(at + head.length - 1));
        }
        // More of it may come.
        if (between.length - at < head.length && head.startsWith(between.slice(at))) {
          this.#between = between.slice(from);
          return "";
        }
      }
    }
    this.#between = between.slice(Math.max(0, between.length - opening.length));
    return "";
  }

  #beginArguments(rest: string): string {
    this.#between = null;
    this.#isNamed = false;
    this.#json = new JsonObjectEnd();
    return rest;
  }

  #learn(middle: string): void {
    this.#heads = new Map(this.#options.tools.map((name) => [name, `${name}${middle}{`]));
  }
}

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
