import { exitCode } from "./exit-code.ts";

/** Ends the program with messages for people, and an exit code. */
export class ProgramError extends Error {
  override readonly name: string = "ProgramError";
  readonly messages: readonly string[];
  readonly exitCode: number;

  /**
   * @param messages each becomes a line that begins with the program's name
   * @param code @default 3, it could not run
   */
  constructor(
    messages: string | readonly string[],
    code: number = exitCode.failed,
    options: { readonly cause?: unknown } = {},
  ) {
    const all = typeof messages === "string" ? [messages] : messages;
    super(all.join("\n"), options);
    this.messages = all;
    this.exitCode = code;
  }
}

/** The command line asks for something impossible; the message says what. */
export class UsageError extends ProgramError {
  override readonly name = "UsageError";

  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, exitCode.usage, options);
  }
}
