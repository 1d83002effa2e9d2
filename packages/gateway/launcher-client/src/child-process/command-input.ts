import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";

export type InputText = Iterable<string> | AsyncIterable<string>;

/**
 * Writes a command's input as fast as the command reads it, then closes it. A command may ignore its input or stop
 * reading early, so only errors of the input itself are thrown.
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
