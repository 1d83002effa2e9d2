import { createReadStream } from "node:fs";
import { maxLineLength, type SourceLine } from "./source-line.ts";

const chunkBytes = 256 * 1024;

/** JSON Lines: one value per line. Empty lines are counted and skipped. */
export async function* readJsonLines(
  file: string,
  signal: AbortSignal,
): AsyncGenerator<SourceLine[]> {
  const stream = createReadStream(file, { encoding: "utf8", highWaterMark: chunkBytes, signal });
  let line = 0;
  let rest = "";
  let isTooLong = false;
  const read = (text: string): SourceLine | null => {
    line += 1;
    if (isTooLong || text.length > maxLineLength) {
      isTooLong = false;
      return { line, error: `longer than ${maxLineLength} characters` };
    }
    // A byte order mark is not part of the first line.
    return readLine(line, line === 1 ? text.replace(/^\uFEFF/, "") : text);
  };
  for await (const chunk of stream) {
    const texts = (rest + String(chunk)).split("\n");
    rest = texts.pop() ?? "";
    yield texts.map(read).filter((found) => found !== null);
    if (rest.length > maxLineLength) {
      isTooLong = true;
      rest = "";
    }
  }
  const last = isTooLong || rest !== "" ? read(rest) : null;
  if (last !== null) yield [last];
}

function readLine(line: number, text: string): SourceLine | null {
  if (text.trim() === "") return null;
  try {
    return { line, value: JSON.parse(text) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { line, error: `not valid JSON: ${reason}` };
  }
}
