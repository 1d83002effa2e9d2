/** The structure of a JSON text cannot be followed. The message names the byte. */
export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";
  /** Byte offset, from 0. */
  readonly offset: number;

  constructor(problem: string, offset: number) {
    super(`${problem} at byte ${offset}`);
    this.offset = offset;
  }
}

/** Names what is at `at`, or that the text ends there, and what was expected. */
export function unexpected(bytes: Buffer, at: number, expected: string): JsonSyntaxError {
  return new JsonSyntaxError(`${nameByte(bytes[at])} instead of ${expected}`, at);
}

function nameByte(byte: number | undefined): string {
  if (byte === undefined) return "text ends";
  if (byte > 0x20 && byte < 0x7f) return `'${String.fromCharCode(byte)}'`;
  return `0x${byte.toString(16).padStart(2, "0")}`;
}
