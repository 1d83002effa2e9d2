import { expect } from "vitest";
import type { StreamReader } from "../../src/streams/stream-reader.ts";
import { cut, type Manner } from "./event-stream-writer.ts";

/**
 * Sends a whole stream through a reader, in pieces. Every byte must be relayed, the last event only at the end.
 * @param lastEventStart where that event begins
 */
export function readWhole(
  reader: StreamReader,
  bytes: Buffer,
  lastEventStart: number,
  manner: Manner,
): void {
  const passed = cut(bytes, manner).flatMap((piece) => [...reader.push(piece)]);
  expect(Buffer.concat(passed)).toEqual(bytes.subarray(0, lastEventStart));
  expect(Buffer.concat([...passed, ...reader.tail()])).toEqual(bytes);
  reader.end();
  expect(reader).toMatchObject({ terminal: true, complete: true, error: null });
}
