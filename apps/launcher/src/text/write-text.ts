import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** Characters per write: writing each small piece would cost more than the piece. */
const chunkLength = 64 * 1024;

type Pieces = AsyncIterable<string> | Iterable<string>;

/**
 * Writes pieces as fast as they are consumed. If the reader stops early (`| head`), no more pieces are requested.
 * @param destination standard output stays open, a file is ended
 */
export async function writeText(destination: Writable, pieces: Pieces): Promise<void> {
  const end = destination !== process.stdout;
  try {
    await pipeline(Readable.from(inChunks(pieces), { highWaterMark: 1 }), destination, { end });
  } catch (error) {
    const isClosed = error instanceof Error && "code" in error && error.code === "EPIPE";
    if (!isClosed) throw error;
  }
}

async function* inChunks(pieces: Pieces): AsyncGenerator<string> {
  let chunk = "";
  for await (const piece of pieces) {
    chunk += piece;
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = "";
  }
  if (chunk !== "") yield chunk;
}
