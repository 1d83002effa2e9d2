const HEAD_END = "\r\n\r\n";
const LINE_FEED = 10;

type State = "head" | "body" | "chunk-size" | "chunk-data" | "chunk-end" | "trailer" | "complete";

/**
 * The minimum of HTTP/1.1 that is needed to find where an answer ends and how long its body is.
 * An answer has a `content-length` or is chunked; one that ends with its connection is an error.
 */
export class ResponseParser {
  status = 0;
  /** Bytes of the body so far, without HTTP framing. */
  bodyBytes = 0;
  #state: State = "head";
  /** Bytes left of the body or of the current chunk. */
  #left = 0;
  #chunkSize = 0;
  #carried: Buffer | undefined;

  reset(): void {
    this.status = 0;
    this.bodyBytes = 0;
    this.#state = "head";
    this.#carried = undefined;
  }

  /** Reads the next bytes without keeping them; true once the answer is complete. Throws if they are not an answer. */
  push(received: Buffer): boolean {
    let bytes = received;
    if (this.#carried !== undefined) {
      bytes = Buffer.concat([this.#carried, received]);
      this.#carried = undefined;
    }
    let position = 0;
    while (position < bytes.length) {
      if (this.#state === "complete") throw new Error("bytes after the end of the answer");
      position = this.#step(bytes, position);
    }
    return this.#state === "complete";
  }

  #step(bytes: Buffer, position: number): number {
    switch (this.#state) {
      case "head":
        return this.#readHead(bytes, position);
      case "body":
      case "chunk-data": {
        const taken = Math.min(this.#left, bytes.length - position);
        this.#left -= taken;
        this.bodyBytes += taken;
        if (this.#left === 0) this.#state = this.#state === "body" ? "complete" : "chunk-end";
        return position + taken;
      }
      case "chunk-size":
        return this.#readChunkSize(bytes, position);
      default:
        return this.#readLineEnd(bytes, position);
    }
  }

  #readHead(bytes: Buffer, position: number): number {
    const end = bytes.indexOf(HEAD_END, position, "latin1");
    if (end < 0) {
      this.#carried = Buffer.from(bytes.subarray(position));
      return bytes.length;
    }
    const head = bytes.toString("latin1", position, end);
    this.status = Number(head.slice(9, 12));
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length !== undefined) {
      this.#left = Number(length);
      this.#state = this.#left === 0 ? "complete" : "body";
    } else if (/\r\ntransfer-encoding: *chunked/i.test(head)) {
      this.#chunkSize = 0;
      this.#state = "chunk-size";
    } else {
      throw new Error(`an answer without a length: ${head.slice(0, 200)}`);
    }
    return end + HEAD_END.length;
  }

  #readChunkSize(bytes: Buffer, start: number): number {
    for (let position = start; position < bytes.length; position++) {
      const byte = bytes[position] ?? 0;
      if (byte === LINE_FEED) {
        this.#left = this.#chunkSize;
        this.#state = this.#chunkSize === 0 ? "trailer" : "chunk-data";
        this.#chunkSize = 0;
        return position + 1;
      }
      // "0"-"9" are 0x30 and up, "a"-"f" and "A"-"F" end in 1 to 6; a carriage return is below both.
      if (byte >= 0x30)
        this.#chunkSize = this.#chunkSize * 16 + (byte & 15) + (byte > 0x39 ? 9 : 0);
    }
    return bytes.length;
  }

  /** Ends a chunk, or the answer: trailers are not expected, so the next line must be empty. */
  #readLineEnd(bytes: Buffer, start: number): number {
    const end = bytes.indexOf(LINE_FEED, start);
    if (end < 0) return bytes.length;
    this.#state = this.#state === "trailer" ? "complete" : "chunk-size";
    return end + 1;
  }
}
