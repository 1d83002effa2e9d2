import { stripMembers } from "@proj/model-apis/json";
import type { Answer, AnswerBody } from "../call/answer.ts";
import type { Call } from "../call/call.ts";
import type { Stage } from "../call/stage.ts";
import { ChangedBody, ChangedStream, changeData } from "./changed-body.ts";

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
    return names.length === 0 ? answer : answer.then((answer) => stripped(answer, names, maxBytes));
  };
}

function stripped(answer: Answer, names: readonly string[], maxBytes: number): Answer {
  // An encoded body would have to be decoded first; engines send none.
  if (answer.upstream === null || answer.format === "encoded") return answer;
  const strip = (data: Buffer): Buffer => stripMembers(data, names);
  if (answer.format === "event_stream")
    return answer.through(
      (body) => new ChangedStream(body, (line) => changeData(line, strip), maxBytes),
    );
  dropLength(answer);
  return answer.through((body) => new StrippedObject(body, names, maxBytes));
}

function dropLength({ headers }: Answer): void {
  const at = headers.findIndex((name, index) => index % 2 === 0 && name === "content-length");
  if (at >= 0) headers.splice(at, 2);
}

/** An object, which can be read only once it is whole. */
class StrippedObject extends ChangedBody {
  readonly #names: readonly string[];
  #chunks: Uint8Array[] = [];
  #bytes = 0;

  constructor(body: AnswerBody, names: readonly string[], maxBytes: number) {
    super(body, maxBytes);
    this.#names = names;
  }

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
    this.sink?.end(isTooLarge ? rest : [stripMembers(Buffer.concat(rest), this.#names)]);
  }
}
