import type { SecretMask } from "@proj/gateway-protocol";
import { AnswerFailure } from "../answer/answer-failure.ts";
import { OutputTail } from "./output-tail.ts";

const maxLine = 1024 * 1024;
const shownBytes = 4096;
/** How much a place may print before a command begins there. */
const maxPreface = 64 * 1024;

/** What a place has a shell print immediately before an agent's own script. */
export const beginning = "launcher-command-begins";

/** The part of a command's output that we need: its last line, and the end of both streams for messages. */
export class CommandOutput {
  readonly #mask: SecretMask;
  /** Bytes kept in front of those shown: the length of the longest secret. */
  readonly #margin: number;
  readonly #standardOutput: OutputTail;
  readonly #standardError: OutputTail;
  /** What came before the line that is waited for; null: none is, or it has come. */
  #preface: Buffer | null;

  readonly #begun: () => void;

  /**
   * @param isAnnounced whether the command's output starts after a line that is `beginning`
   * @param begun called when that line has come
   */
  constructor(mask: SecretMask, isAnnounced: boolean = false, begun: () => void = () => {}) {
    this.#mask = mask;
    this.#begun = begun;
    this.#preface = isAnnounced ? Buffer.alloc(0) : null;
    this.#margin = 4 * mask.longest;
    this.#standardOutput = new OutputTail(maxLine);
    this.#standardError = new OutputTail(shownBytes + this.#margin);
  }

  get hasBegun(): boolean {
    return this.#preface === null;
  }

  readonly printed = (chunk: Uint8Array): void => {
    if (this.#preface === null) {
      this.#standardOutput.append(chunk);
      return;
    }
    this.#preface = Buffer.concat([this.#preface, chunk]);
    const at = this.#preface.indexOf(`${beginning}\n`);
    if (at >= 0) {
      this.#standardOutput.append(this.#preface.subarray(at + beginning.length + 1));
      this.#preface = null;
      this.#begun();
    } else this.#preface = this.#preface.subarray(-maxPreface);
  };
  readonly complained = (chunk: Uint8Array): void => this.#standardError.append(chunk);

  /**
   * The last line of standard output that is not blank, unmasked; null: there is none.
   * @throws AnswerFailure it is longer than 1 MiB
   */
  lastLine(): string | null {
    const printed = this.#standardOutput.text().trimEnd();
    const start = printed.lastIndexOf("\n") + 1;
    if (printed !== "" && start === 0 && this.#standardOutput.received > maxLine) {
      const message = "printed a last line of more than 1 MiB";
      throw new AnswerFailure("bad_result", message, this.lastOutput());
    }
    return printed.slice(start).trim() || null;
  }

  /** The last 4 KiB each of standard output and standard error; null: it printed nothing. */
  lastOutput(): string | null {
    const printed = this.#end(this.#standardOutput);
    const complained = this.#end(this.#standardError);
    if (printed === "" || complained === "") return printed + complained || null;
    return `--- standard output\n${printed}\n--- standard error\n${complained}`;
  }

  /** The last line, which most likely says what went wrong; masked. Null: it printed nothing. */
  lastWords(): string | null {
    const words = this.#end(this.#standardError) || this.#end(this.#standardOutput);
    return words.slice(words.lastIndexOf("\n") + 1).trim() || null;
  }

  #end(tail: OutputTail): string {
    const kept = shownBytes + this.#margin;
    const text = this.#mask.apply(tail.text(kept));
    if (tail.received <= kept) return text.slice(-shownBytes).trim();
    // A secret that was cut in two is not recognized: its rest is among the first characters.
    return text
      .slice(this.#mask.longest)
      .slice(-shownBytes)
      .replace(/^\uFFFD+/, "")
      .trim();
  }
}
