/** A JSON text whose structure cannot be followed, and where. The message names the byte. */
export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";
  /** Offset in bytes, from 0. */
  readonly offset: number;

  constructor(problem: string, offset: number) {
    super(`${problem} at byte ${offset}`);
    this.offset = offset;
  }
}
