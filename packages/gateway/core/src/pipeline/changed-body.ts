import { asBuffer } from "@proj/model-apis/json";
import type { AnswerBody, BodySink } from "../call/answer.ts";
import type { CallError } from "../errors/gateway-error.ts";

const newline = 0x0a;
const dataPrefix = Buffer.from("data:");

/** A body that passes on what is left of another. */
export abstract class ChangedBody implements AnswerBody, BodySink {
  protected readonly maxBytes: number;
  protected sink: BodySink | null = null;
  readonly #source: AnswerBody;

  constructor(body: AnswerBody, maxBytes: number) {
    this.#source = body;
    this.maxBytes = maxBytes;
  }

  abstract write(chunk: Uint8Array): boolean;
  abstract end(tail: readonly Uint8Array[]): void;

  pipe(sink: BodySink): void {
    this.sink = sink;
    this.#source.pipe(this);
  }

  resume(): void {
    this.#source.resume();
  }

  cancel(reason: CallError): void {
    this.#source.cancel(reason);
  }

  fail(error: CallError): void {
    this.sink?.fail(error);
  }
}

/** Changes a line, its end included; an empty result removes it. */
export type ChangeLine = (line: Buffer) => Buffer;

/** A stream is passed on line by line: an event's JSON is one line. */
export class ChangedStream extends ChangedBody {
  readonly #change: ChangeLine;

  /** @param maxBytes a longer line is passed on unchanged */
  constructor(body: AnswerBody, change: ChangeLine, maxBytes: number) {
    super(body, maxBytes);
    this.#change = change;
  }

  /** The beginning of a line that has not ended yet, in the pieces in which it came. */
  #rest: Uint8Array[] = [];
  #restBytes = 0;
  /** The rest of a line that is too long is passed on unchanged. */
  #passes = false;

  write(chunk: Uint8Array): boolean {
    const lines = this.#take(chunk);
    return lines.length === 0 ? true : (this.sink?.write(lines) ?? true);
  }

  end(tail: readonly Uint8Array[]): void {
    const lines = tail.map((bytes) => this.#take(bytes));
    const rest = Buffer.concat(this.#takeRest());
    const last = this.#passes ? rest : this.#change(rest);
    this.sink?.end([...lines, last].filter(({ length }) => length > 0));
  }

  /** Returns the lines that are whole now. */
  #take(chunk: Uint8Array): Buffer {
    const parts: Uint8Array[] = [];
    let bytes = asBuffer(chunk);
    // Joined only once the line ends: joining it for each chunk would copy a long line over and over.
    if (this.#restBytes > 0 && bytes.includes(newline)) {
      bytes = Buffer.concat([...this.#takeRest(), bytes]);
    }
    let start = 0;
    for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, start)) {
      const line = bytes.subarray(start, at + 1);
      parts.push(this.#passes ? line : this.#change(line));
      this.#passes = false;
      start = at + 1;
    }
    this.#rest.push(bytes.subarray(start));
    this.#restBytes += bytes.length - start;
    if (this.#passes || this.#restBytes > this.maxBytes) {
      parts.push(...this.#takeRest());
      this.#passes = true;
    }
    return Buffer.concat(parts);
  }

  #takeRest(): Uint8Array[] {
    const rest = this.#rest;
    this.#rest = [];
    this.#restBytes = 0;
    return rest;
  }
}

/** Changes the JSON object in a line of an event's data; other lines stay as they are. */
export function changeData(line: Buffer, change: (data: Buffer) => Buffer): Buffer {
  if (!line.subarray(0, dataPrefix.length).equals(dataPrefix)) return line;
  const at = line.indexOf("{");
  if (at < 0) return line;
  const data = line.subarray(at);
  const changed = change(data);
  if (changed === data) return line;
  return changed.length === 0 ? changed : Buffer.concat([line.subarray(0, at), changed]);
}
