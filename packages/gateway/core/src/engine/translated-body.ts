import type { RequestBody } from "@proj/model-apis";
import type { AnswerBody, BodySink } from "../call/answer.ts";
import { Cancellation } from "../call/cancellation.ts";
import { asCallError, type CallError, GatewayError } from "../errors/gateway-error.ts";
import type { EngineCall } from "./engine-call.ts";

export interface TranslatedBodyOptions {
  readonly call: EngineCall;
  readonly streams: boolean;
  /** Limit of the engine's answer, whose tokens and text are in memory until it ends. */
  readonly maxBytes: number;
  /** Called once, before the sink gets the end. */
  readonly onEnd: (isWhole: boolean) => void;
  /** Asks the engine to go on. */
  readonly goOn: (body: RequestBody, cancellation: Cancellation) => Promise<AnswerBody>;
}

/** An engine's answer, passed on in the agent's API while it is generated. */
export class TranslatedBody implements AnswerBody, BodySink {
  readonly #options: TranslatedBodyOptions;
  #source: AnswerBody;
  /** Ends the wait for an engine that goes on; null: nothing waits. */
  #waiting: Cancellation | null = null;
  #sink: BodySink | null = null;
  #bytes = 0;
  /** The agent's side wants no more. */
  #isCancelled = false;

  constructor(source: AnswerBody, options: TranslatedBodyOptions) {
    this.#source = source;
    this.#options = options;
  }

  pipe(sink: BodySink): void {
    this.#sink = sink;
    this.#source.pipe(this);
  }

  resume(): void {
    this.#source.resume();
  }

  cancel(reason: CallError): void {
    this.#isCancelled = true;
    if (this.#waiting === null) this.#source.cancel(reason);
    else this.#waiting.cancel(reason);
  }

  write(chunk: Uint8Array): boolean {
    const { call, maxBytes } = this.#options;
    this.#bytes += chunk.byteLength;
    if (this.#bytes > maxBytes) {
      this.#source.cancel(tooLarge(maxBytes));
      return true;
    }
    const goesOn = this.#give(call.push(chunk));
    // What follows an error is not read, and may never end.
    if (call.error !== null) this.#source.cancel(brokenOff(call.error));
    return goesOn;
  }

  end(tail: readonly Uint8Array[]): void {
    const { call, streams, onEnd } = this.#options;
    const events = tail.map((chunk) => call.push(chunk)).join("");
    if (call.isCut) {
      this.#give(events);
      void this.#goOn();
      return;
    }
    if (call.isUnread) {
      this.#give(events);
      void this.#readCalls();
      return;
    }
    const ended = call.end();
    if (ended === null) {
      this.#fail(brokenOff(call.error ?? "The engine's answer broke off before its end."));
      return;
    }
    onEnd(true);
    const text = streams ? events + ended.events : JSON.stringify(ended.whole);
    this.#sink?.end([Buffer.from(text)]);
  }

  /** An engine, or a proxy in front of it, may not end the body of a whole answer. */
  fail(error: CallError): void {
    if (this.#options.call.isDone && !this.#isCancelled) this.end([]);
    else this.#fail(error);
  }

  #fail(error: CallError): void {
    this.#options.onEnd(false);
    this.#sink?.fail(error);
  }

  /** The events of an answer that is not streamed are none. */
  #give(events: string): boolean {
    return events === "" || (this.#sink?.write(Buffer.from(events)) ?? true);
  }

  async #goOn(): Promise<void> {
    const body = this.#options.call.resume();
    if (body === null) {
      this.#fail(brokenOff(cannotGoOn));
      return;
    }
    const { goOn } = this.#options;
    const source = await this.#waitFor((cancellation) => goOn(body, cancellation));
    if (source === null) return;
    this.#source = source;
    source.pipe(this);
  }

  async #readCalls(): Promise<void> {
    const { call } = this.#options;
    const isRead = await this.#waitFor((cancellation) => readCalls(call, cancellation));
    if (isRead === true) this.end([]);
    else if (isRead === false) this.#fail(brokenOff(readOtherwise));
  }

  /** Null: it has failed. */
  async #waitFor<T>(ask: (cancellation: Cancellation) => Promise<T>): Promise<T | null> {
    const waiting = new Cancellation();
    this.#waiting = waiting;
    try {
      return await ask(waiting);
    } catch (error) {
      this.#fail(asCallError(error));
      return null;
    } finally {
      this.#waiting = null;
    }
  }
}

async function readCalls(call: EngineCall, cancellation: Cancellation): Promise<boolean> {
  const abort = new AbortController();
  const stopListening = cancellation.onCancel((reason) => abort.abort(reason));
  try {
    return await call.readCalls(abort.signal);
  } finally {
    stopListening();
    cancellation.throwIfCancelled();
  }
}

const cannotGoOn =
  "The engine was paused in the middle of the answer, and cannot go on from there: it was within a tool call whose arguments are not JSON, or bound to a grammar.";
const readOtherwise =
  "The engine was paused within a tool call, and reads its beginning otherwise than it gave it out.";

const brokenOff = (why: string): GatewayError => new GatewayError("upstream_invalid_response", why);

function tooLarge(maxBytes: number): GatewayError {
  return new GatewayError(
    "upstream_invalid_response",
    `The engine's answer is larger than max_capture_bytes allows (${maxBytes} bytes with its tokens).`,
    { retryable: false },
  );
}
