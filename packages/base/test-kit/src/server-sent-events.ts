/** One block of an event stream, up to its blank line. */
export interface ServerSentEvent {
  readonly event: string | null;
  /** The `data:` lines, joined by newlines; null: there were none. */
  readonly data: string | null;
  /** The comment lines, without their colons, joined by newlines; null: there were none. */
  readonly comment: string | null;
  /** False for a last block that the stream ended without its blank line. */
  readonly complete: boolean;
}

/**
 * Reads a response's body event by event, as it arrives. Unlike a browser's reader it also yields
 * blocks of comments alone, and a last block that was cut off.
 */
export async function* readServerSentEvents(
  body: AsyncIterable<Uint8Array> | null,
): AsyncGenerator<ServerSentEvent> {
  let block: string[] = [];
  for await (const line of readLines(body ?? [])) {
    if (line !== "") {
      block.push(line);
    } else if (block.length > 0) {
      yield parseBlock(block, true);
      block = [];
    }
  }
  if (block.length > 0) yield parseBlock(block, false);
}

/** Reads a response's body to its end. */
export async function readAllServerSentEvents(
  body: AsyncIterable<Uint8Array> | null,
): Promise<ServerSentEvent[]> {
  const events: ServerSentEvent[] = [];
  for await (const event of readServerSentEvents(body)) events.push(event);
  return events;
}

async function* readLines(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of body) {
    rest += decoder.decode(bytes, { stream: true });
    // A CR at the very end may be half of a CRLF.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    yield* lines;
  }
  const lines = rest.split("\r");
  const unended = lines.pop();
  yield* lines;
  if (unended) yield unended;
}

function parseBlock(lines: readonly string[], complete: boolean): ServerSentEvent {
  const valuesOf = (field: string): string | null => {
    const found = lines.filter((line) => line === field || line.startsWith(`${field}:`));
    if (found.length === 0) return null;
    return found.map((line) => line.slice(field.length + 1).replace(/^ /, "")).join("\n");
  };
  return { event: valuesOf("event"), data: valuesOf("data"), comment: valuesOf(""), complete };
}
