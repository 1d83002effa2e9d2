import type { AnswerBody, BodySink } from "../call/answer.ts";
import { type CallError, GatewayError } from "../errors/gateway-error.ts";
import type { EngineCall } from "./engine-call.ts";

/** An engine's answer, passed on in the agent's API while it is generated. */
export class TranslatedBody implements AnswerBody, BodySink {
  readonly #source: AnswerBody;
  readonly #call: EngineCall;
  readonly #streams: boolean;
  readonly #maxBytes: number;
  readonly #onEnd: (isWhole: boolean) => void;
  #sink: BodySink | null = null;
  #bytes = 0;

  /**
   * @param maxBytes limit of the engine's answer, whose tokens and text are in memory until it ends
   * @param onEnd called once, before the sink gets the end
   */
  constructor(
    source: AnswerBody,
    call: EngineCall,
    streams: boolean,
    maxBytes: number,
    onEnd: (isWhole: boolean) => void,
  ) {
    this.#source = source;
    this.#call = call;
    this.#streams = streams;
    this.#maxBytes = maxBytes;
    this.#onEnd = onEnd;
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
    if (this.#bytes > this.#maxBytes) {
      this.#source.cancel(tooLarge(this.#maxBytes));
      return true;
    }
    const events = this.#call.push(chunk);
    if (!this.#streams || events === "") return true;
    return this.#sink?.write(Buffer.from(events)) ?? true;
  }

  end(tail: readonly Uint8Array[]): void {
    const events = tail.map((chunk) => this.#call.push(chunk)).join("");
    const ended = this.#call.end();
    if (ended === null) {
      const why = this.#call.error ?? "The engine's answer broke off before its end.";
      this.fail(new GatewayError("upstream_invalid_response", why));
      return;
    }
    this.#onEnd(true);
    const text = this.#streams ? events + ended.events : JSON.stringify(ended.whole);
    this.#sink?.end([Buffer.from(text)]);
  }

  fail(error: CallError): void {
    this.#onEnd(false);
    this.#sink?.fail(error);
  }
}

function tooLarge(maxBytes: number): GatewayError {
  return new GatewayError(
    "upstream_invalid_response",
    `The engine's answer is larger than max_capture_bytes allows (${maxBytes} bytes with its tokens).`,
    { retryable: false },
  );
}
