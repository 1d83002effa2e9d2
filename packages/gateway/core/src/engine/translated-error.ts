import { isJsonObject, parsedObject } from "@proj/model-apis/json";
import type { AnswerBody, BodySink } from "../call/answer.ts";
import type { Call } from "../call/call.ts";
import type { CallError } from "../errors/gateway-error.ts";

/** How much of an error is read for its message, in bytes. */
const maxErrorBytes = 64 * 1024;

/** An engine's error in the form of the agent's API, with its status and its hints for retries as they are. */
export class TranslatedError implements AnswerBody, BodySink {
  readonly #source: AnswerBody;
  readonly #call: Pick<Call, "endpoint" | "request_id">;
  readonly #status: number;
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;
  #sink: BodySink | null = null;

  constructor(source: AnswerBody, call: Pick<Call, "endpoint" | "request_id">, status: number) {
    this.#source = source;
    this.#call = call;
    this.#status = status;
  }

  pipe(sink: BodySink): void {
    this.#sink = sink;
    this.#source.pipe(this);
  }

  resume(): void {
    this.#source.resume();
  }

  cancel(reason: CallError): void {
    this.#source.cancel(reason);
  }

  write(chunk: Uint8Array): boolean {
    this.#bytes += chunk.byteLength;
    if (this.#bytes <= maxErrorBytes) this.#chunks.push(chunk);
    return true;
  }

  end(tail: readonly Uint8Array[]): void {
    for (const chunk of tail) this.write(chunk);
    const { endpoint, request_id } = this.#call;
    const { message, type, param, code } = errorOf(Buffer.concat(this.#chunks).toString());
    const kind = { status: this.#status, type };
    this.#sink?.end([
      Buffer.from(JSON.stringify(endpoint.errorBody({ message, param, code, kind }, request_id))),
    ]);
  }

  fail(error: CallError): void {
    this.#sink?.fail(error);
  }
}

function errorOf(text: string) {
  const { error, message, detail } = parsedObject(text);
  const inner = isJsonObject(error) ? error : { message: error ?? message ?? detail };
  return {
    message: typeof inner.message === "string" ? inner.message : text.slice(0, 1_000),
    type: typeof inner.type === "string" ? inner.type : "upstream_error",
    param: typeof inner.param === "string" ? inner.param : null,
    code: typeof inner.code === "string" ? inner.code : "engine_error",
  };
}
