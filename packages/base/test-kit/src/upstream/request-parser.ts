/** A request as it was on the wire. */
export interface ParsedRequest {
  readonly method: string;
  readonly path: string;
  /** Names and values alternating, as they were sent. */
  readonly rawHeaders: readonly string[];
  /** Names in lower case; values of a repeated name are joined by ", ". */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

type Head = Omit<ParsedRequest, "body">;

/**
 * Splits the bytes of one connection into requests. It reads what well-behaved clients send, and
 * throws at anything else, so that a test sees what the client did wrong.
 */
export class RequestParser {
  #bytes: Buffer = Buffer.alloc(0);
  #head: Head | null = null;

  *push(chunk: Buffer): Generator<ParsedRequest> {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
    for (;;) {
      this.#head ??= this.#takeHead();
      if (this.#head === null) return;
      const body = this.#takeBody(this.#head.headers);
      if (body === null) return;
      const head = this.#head;
      this.#head = null;
      yield { ...head, body };
    }
  }

  #takeHead(): Head | null {
    const end = this.#bytes.indexOf("\r\n\r\n");
    if (end < 0) return null;
    const [first = "", ...lines] = this.#take(end, 4).toString("latin1").split("\r\n");
    const [, method, path] = /^([A-Z]+) (\S+) HTTP\/1\.1$/.exec(first) ?? [];
    if (method === undefined || path === undefined)
      throw new Error(`Not a request line: "${first}"`);
    const rawHeaders = lines.flatMap((line) => {
      const colon = line.indexOf(":");
      if (colon < 1) throw new Error(`Not a header: "${line}"`);
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    });
    return { method, path, rawHeaders, headers: foldHeaders(rawHeaders) };
  }

  #takeBody(headers: Head["headers"]): Buffer | null {
    if (headers["transfer-encoding"] !== undefined) return this.#takeChunks();
    const length = Number(headers["content-length"] ?? 0);
    return this.#bytes.length < length ? null : this.#take(length, 0);
  }

  /** Null, with nothing consumed, until the last chunk has arrived. */
  #takeChunks(): Buffer | null {
    const chunks: Buffer[] = [];
    let position = 0;
    for (;;) {
      const lineEnd = this.#bytes.indexOf("\r\n", position);
      if (lineEnd < 0) return null;
      const size = Number.parseInt(this.#bytes.toString("latin1", position, lineEnd), 16);
      if (Number.isNaN(size)) throw new Error("Not the size of a chunk");
      const start = lineEnd + 2;
      if (this.#bytes.length < start + size + 2) return null;
      chunks.push(this.#bytes.subarray(start, start + size));
      position = start + size + 2;
      if (size === 0) break;
    }
    const body = Buffer.concat(chunks);
    this.#take(position, 0);
    return body;
  }

  #take(length: number, skipped: number): Buffer {
    const taken = this.#bytes.subarray(0, length);
    this.#bytes = this.#bytes.subarray(length + skipped);
    return taken;
  }
}

function foldHeaders(rawHeaders: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? "").toLowerCase();
    const value = rawHeaders[index + 1] ?? "";
    const before = headers[name];
    headers[name] = before === undefined ? value : `${before}, ${value}`;
  }
  return headers;
}
