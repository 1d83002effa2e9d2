/** The part of an answer that has arrived. */
export interface RawAnswer {
  /** From the status line; null until that has arrived. */
  readonly status: number | null;
  readonly headers: string;
  /** The body without its framing. */
  readonly body: string;
  /** Whether the chunk that ends the body has arrived. */
  readonly whole: boolean;
}

/** Parses what has arrived on a connection that carries one answer. */
export function parseRawAnswer(text: string): RawAnswer {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return { status: null, headers: "", body: "", whole: false };
  const headers = text.slice(0, end).toLowerCase();
  const status = Number(/^http\/1\.1 (\d{3})/.exec(headers)?.[1]);
  const rest = text.slice(end + 4);
  if (headers.includes("transfer-encoding: chunked"))
    return { status, headers, ...readChunks(rest) };
  const length = Number(/content-length: (\d+)/.exec(headers)?.[1] ?? Infinity);
  return { status, headers, body: rest, whole: rest.length >= length };
}

function readChunks(text: string): { body: string; whole: boolean } {
  let body = "";
  let at = 0;
  for (;;) {
    const lineEnd = text.indexOf("\r\n", at);
    if (lineEnd < 0) return { body, whole: false };
    const size = Number.parseInt(text.slice(at, lineEnd), 16);
    if (size === 0) return { body, whole: true };
    body += text.slice(lineEnd + 2, lineEnd + 2 + size);
    at = lineEnd + 2 + size + 2;
  }
}
