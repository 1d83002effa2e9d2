import { asBuffer } from "../json/byte-splice.ts";

/**
 * The kind of a line in an event stream. `event` is the blank line that ends an event with data, `blank` any
 * other blank line; `field` is any field but `data`, and is ignored here.
 */
export type LineKind = "data" | "field" | "comment" | "blank" | "event";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const COLON = 0x3a;
// Not Buffers, which a browser that loads this file does not have.
const DATA = new TextEncoder().encode("data");
const ERROR = "event: error";
const BYTE_ORDER_MARK = new TextEncoder().encode("\u{feff}");
const newline = new TextEncoder().encode("\n");

/**
 * Finds the lines and events of an event stream (WHATWG HTML, section 9.2) in chunks that may be cut
 * anywhere. For each chunk call `feed`, then `next` until it returns null.
 *
 * Offsets are within the chunk that was fed; a `continued` line began in an earlier chunk, and `lineStart` is
 * where it continues. Events that lie within one chunk are not copied.
 */
export class EventFraming {
  readonly #maxEventBytes: number;
  readonly #nothing = Buffer.alloc(0);
  #chunk: Buffer = this.#nothing;
  /** Offset of the chunk's next LF and CR; the chunk's length if there is none. */
  #lineFeed = 0;
  #carriageReturn = 0;
  #markBytes = 0;
  #skipsLineFeed = false;
  /** The last chunk ended within a line, of which these pieces were kept. */
  #withinLine = false;
  #pieces: Uint8Array[] = [];
  #eventBytes = 0;
  #eventEnded = false;
  #data: Buffer = this.#nothing;
  #dataStart = 0;
  #dataEnd = 0;
  #furtherData: Uint8Array[] | null = null;

  lineStart = 0;
  /** Where the line's ending begins, and where the next line begins. */
  contentEnd = 0;
  lineEnd = 0;
  continued = false;
  /** A line other than a comment has come since the last blank one. */
  begun = false;
  /** A `data` line has come since the last blank one. */
  hasData = false;
  /** The event, including one that has just ended, is called `error`. */
  isError = false;
  /**
   * The event, including one that has just ended, exceeds the bound: only the beginning of its data is kept.
   */
  oversized = false;

  constructor(maxEventBytes: number) {
    this.#maxEventBytes = maxEventBytes;
  }

  /** The bytes fed so far end between two events; comments may have followed the last one. */
  get betweenEvents(): boolean {
    return !this.begun && !this.#withinLine && this.#markBytes % BYTE_ORDER_MARK.length === 0;
  }

  /**
   * Begins the next chunk; `lineEnd` is where its first line begins, after a byte order mark or the LF of an
   * earlier CR.
   */
  feed(chunk: Uint8Array): void {
    this.#chunk = asBuffer(chunk);
    this.#lineFeed = -1;
    this.#carriageReturn = -1;
    let start = 0;
    if (this.#skipsLineFeed && chunk.length > 0) {
      this.#skipsLineFeed = false;
      if (chunk[0] === LINE_FEED) start = 1;
    }
    if (this.#markBytes < BYTE_ORDER_MARK.length) start = this.#skipByteOrderMark();
    this.lineEnd = start;
  }

  /** Moves to the next line; null if the chunk has no more whole line, only a part from `lineStart` on. */
  next(): LineKind | null {
    if (this.#eventEnded) this.#forgetEvent();
    const start = this.lineEnd;
    this.lineStart = start;
    this.continued = this.#withinLine;
    const end = this.#findLineEnd(start);
    if (end === this.#chunk.length) {
      if (start < end) this.#keepPiece(start, end);
      // A reader that waits must not keep alive a chunk that it has read.
      this.#chunk = this.#nothing;
      return null;
    }
    this.contentEnd = end;
    this.lineEnd = end + 1;
    if (this.#chunk[end] === CARRIAGE_RETURN) {
      if (this.lineEnd === this.#chunk.length) this.#skipsLineFeed = true;
      else if (this.#chunk[this.lineEnd] === LINE_FEED) this.lineEnd++;
    }
    if (!this.continued) return this.#readLine(this.#chunk, start, end);
    if (start < end) this.#keepPiece(start, end);
    this.#withinLine = false;
    const [piece = this.#nothing, ...further] = this.#pieces;
    const line = further.length === 0 ? asBuffer(piece) : Buffer.concat(this.#pieces);
    this.#pieces = [];
    return this.#readLine(line, 0, line.length);
  }

  /** The data of the event that has just ended. */
  dataText(): string {
    if (this.#furtherData !== null) return this.dataBytes().toString();
    return this.#data.toString("utf8", this.#dataStart, this.#dataEnd);
  }

  dataBytes(): Buffer {
    const first = this.#data.subarray(this.#dataStart, this.#dataEnd);
    return this.#furtherData === null ? first : Buffer.concat([first, ...this.#furtherData]);
  }

  #findLineEnd(from: number): number {
    const chunk = this.#chunk;
    if (this.#lineFeed < from) {
      const at = chunk.indexOf(LINE_FEED, from);
      this.#lineFeed = at === -1 ? chunk.length : at;
    }
    if (this.#carriageReturn < from) {
      const at = chunk.indexOf(CARRIAGE_RETURN, from);
      this.#carriageReturn = at === -1 ? chunk.length : at;
    }
    return Math.min(this.#lineFeed, this.#carriageReturn);
  }

  #readLine(line: Buffer, start: number, end: number): LineKind {
    if (start === end && !this.continued) {
      const kind = this.hasData ? "event" : "blank";
      this.#eventEnded = true;
      this.begun = false;
      this.hasData = false;
      return kind;
    }
    if (line[start] === COLON) {
      if (!this.begun) this.#forgetEvent();
      else if (!this.continued) this.#count(end - start);
      return "comment";
    }
    this.begun = true;
    if (!this.continued) this.#count(end - start);
    if (!isDataLine(line, start, end)) {
      this.isError ||= isErrorLine(line, start, end);
      return "field";
    }
    let from = Math.min(start + DATA.length + 1, end);
    if (from < end && line[from] === SPACE) from++;
    if (!this.hasData) {
      this.hasData = true;
      this.#data = line;
      this.#dataStart = from;
      this.#dataEnd = end;
    } else if (!this.oversized) {
      this.#furtherData ??= [];
      this.#furtherData.push(newline, line.subarray(from, end));
    }
    return "data";
  }

  /** Keeps part of a line until the rest arrives, as far as the bound allows. */
  #keepPiece(start: number, end: number): void {
    this.#withinLine = true;
    const room = this.#maxEventBytes - this.#eventBytes;
    this.#count(end - start);
    if (room > 0) this.#pieces.push(this.#chunk.subarray(start, Math.min(end, start + room)));
  }

  #count(bytes: number): void {
    this.#eventBytes += bytes;
    if (this.#eventBytes > this.#maxEventBytes) this.oversized = true;
  }

  #forgetEvent(): void {
    this.#eventEnded = false;
    this.begun = false;
    this.hasData = false;
    this.isError = false;
    this.oversized = false;
    this.#eventBytes = 0;
    this.#data = this.#nothing;
    this.#furtherData = null;
  }

  #skipByteOrderMark(): number {
    let at = 0;
    while (at < this.#chunk.length && this.#markBytes < BYTE_ORDER_MARK.length) {
      if (this.#chunk[at] !== BYTE_ORDER_MARK[this.#markBytes]) {
        if (this.#markBytes > 0) {
          // It only looked like a byte order mark. These bytes belong to the first line, whose name they spoil.
          this.#pieces.push(BYTE_ORDER_MARK.subarray(0, this.#markBytes));
          this.#withinLine = true;
        }
        this.#markBytes = BYTE_ORDER_MARK.length;
        return at;
      }
      at++;
      this.#markBytes++;
    }
    return at;
  }
}

function isErrorLine(line: Buffer, start: number, end: number): boolean {
  const rest = end - start - ERROR.length;
  if (rest !== 0 && rest !== -1) return false;
  return /^event: ?error$/.test(line.toString("latin1", start, end));
}

function isDataLine(line: Buffer, start: number, end: number): boolean {
  for (let index = 0; index < DATA.length; index++) {
    if (line[start + index] !== DATA[index]) return false;
  }
  return end === start + DATA.length || (end > start + DATA.length && line[start + 4] === COLON);
}
