import { asBuffer, stripMembers } from "@proj/model-apis/json";
import type { Answer, AnswerBody, BodySink } from "../call/answer.ts";
import type { Call } from "../call/call.ts";
import type { Stage } from "../call/stage.ts";
import type { CallError } from "../errors/gateway-error.ts";

const newline = 0x0a;
const dataPrefix = Buffer.from("data:");

/**
 * Removes the members named by the route from what the caller gets: official SDKs reject some that engines
 * add. Rows keep them.
 * @param maxBytes limit for a body that is one object, or for a line of a stream: a larger one is passed on
 * unchanged
 */
export function stripAnswer<C extends Call>(maxBytes: number): Stage<C> {
  return (next) => (call) => {
    const { strip_response_members: names } = call.route.config;
    const answer = next(call);
    return names.length === 0 ? answer : answer.then((answer) => strip(answer, names, maxBytes));
  };
}

function strip(answer: Answer, names: readonly string[], maxBytes: number): Answer {
  // An encoded body would have to be decoded first; engines send none.
  if (answer.upstream === null || answer.format === "encoded") return answer;
  if (answer.format === "event_stream")
    return answer.through((body) => new StrippedStream(body, names, maxBytes));
  dropLength(answer);
  return answer.through((body) => new StrippedObject(body, names, maxBytes));
}

function dropLength({ headers }: Answer): void {
  const at = headers.findIndex((name, index) => index % 2 === 0 && name === "content-length");
  if (at >= 0) headers.splice(at, 2);
}

abstract class StrippedBody implements AnswerBody, BodySink {
  protected readonly names: readonly string[];
  protected readonly maxBytes: number;
  protected sink: BodySink | null = null;
  readonly #source: AnswerBody;

  constructor(body: AnswerBody, names: readonly string[], maxBytes: number) {
    this.#source = body;
    this.names = names;
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

/** An object, which can be read only once it is whole. */
class StrippedObject extends StrippedBody {
  #chunks: Uint8Array[] = [];
  #bytes = 0;

  write(chunk: Uint8Array): boolean {
    this.#bytes += chunk.byteLength;
    this.#chunks.push(chunk);
    if (this.#bytes <= this.maxBytes) return true;
    const whole = Buffer.concat(this.#chunks);
    this.#chunks = [];
    return this.sink?.write(whole) ?? true;
  }

  end(tail: readonly Uint8Array[]): void {
    const rest = [...this.#chunks, ...tail];
    const bytes = tail.reduce((sum, { byteLength }) => sum + byteLength, this.#bytes);
    const isTooLarge = bytes > this.maxBytes;
    this.sink?.end(isTooLarge ? rest : [stripMembers(Buffer.concat(rest), this.names)]);
  }
}

/** A stream is passed on line by line: an event's JSON is one line. */
class StrippedStream extends StrippedBody {
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
    const last = this.#passes ? rest : this.#strip(rest);
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
      parts.push(this.#passes ? line : this.#strip(line));
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

  #strip(line: Buffer): Buffer {
    if (!line.subarray(0, dataPrefix.length).equals(dataPrefix)) return line;
    const at = line.indexOf("{");
    if (at < 0) return line;
    const data = line.subarray(at);
    const stripped = stripMembers(data, this.names);
    return stripped === data ? line : Buffer.concat([line.subarray(0, at), stripped]);
  }
}
