import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";

export type InputText = Iterable<string> | AsyncIterable<string>;

/**
 * Writes a command's input as fast as it is taken, and ends it. A command need not read it, nor to its
 * end: only what the input itself throws is thrown.
 */
export async function writeInput(stdin: Writable, input: InputText): Promise<void> {
  let hasFailed = false;
  async function* watched(): AsyncGenerator<string> {
    try {
      yield* input;
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  }
  try {
    await pipeline(watched(), stdin);
  } catch (error) {
    if (hasFailed) throw error;
  }
}
