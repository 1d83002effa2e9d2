import type { SecretMask } from "@proj/gateway-protocol";
import { AnswerFailure } from "../answer/answer-failure.ts";
import { OutputTail } from "./output-tail.ts";

const longestLine = 1024 * 1024;
const shownBytes = 4096;

/** What a command prints, as far as it is needed: its last line, and the end of all for messages. */
export class CommandOutput {
  readonly #mask: SecretMask;
  /** Bytes that are kept before those that are shown: as many as a secret has at most. */
  readonly #margin: number;
  readonly #standardOutput: OutputTail;
  readonly #standardError: OutputTail;

  constructor(mask: SecretMask) {
    this.#mask = mask;
    this.#margin = 4 * mask.longest;
    this.#standardOutput = new OutputTail(longestLine);
    this.#standardError = new OutputTail(shownBytes + this.#margin);
  }

  readonly printed = (chunk: Uint8Array): void => this.#standardOutput.append(chunk);
  readonly complained = (chunk: Uint8Array): void => this.#standardError.append(chunk);

  /**
   * The last line of standard output that is not blank, not masked; null: there is none.
   * @throws AnswerFailure it is longer than 1 MiB
   */
  lastLine(): string | null {
    const printed = this.#standardOutput.text().trimEnd();
    const start = printed.lastIndexOf("\n") + 1;
    if (printed !== "" && start === 0 && this.#standardOutput.received > longestLine) {
      const message = "printed a last line of more than 1 MiB";
      throw new AnswerFailure("bad_result", message, this.lastOutput());
    }
    return printed.slice(start).trim() || null;
  }

  /** The last 4 KiB of standard output and of standard error each; null: it printed nothing. */
  lastOutput(): string | null {
    const printed = this.#end(this.#standardOutput);
    const complained = this.#end(this.#standardError);
    if (printed === "" || complained === "") return printed + complained || null;
    return `--- standard output\n${printed}\n--- standard error\n${complained}`;
  }

  /** The last line that says what went wrong, if any does; masked. */
  lastWords(): string | null {
    const words = this.#end(this.#standardError) || this.#end(this.#standardOutput);
    return words.slice(words.lastIndexOf("\n") + 1).trim() || null;
  }

  #end(tail: OutputTail): string {
    const kept = shownBytes + this.#margin;
    const text = this.#mask.apply(tail.text(kept));
    if (tail.received <= kept) return text.slice(-shownBytes).trim();
    // A secret that the cut goes through is not recognized: its rest is among the first characters.
    return text
      .slice(this.#mask.longest)
      .slice(-shownBytes)
      .replace(/^\uFFFD+/, "")
      .trim();
  }
}
