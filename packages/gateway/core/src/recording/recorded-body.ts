import type { Answer, AnswerBody, BodySink } from "../call/answer.ts";
import type { BufferedBytesLease } from "../call/body-memory.ts";
import { type CallError, GatewayError } from "../errors/gateway-error.ts";

/** Decides how the caller's answer ends, once everything is known about it. */
export interface AnswerEnding {
  /** Resolves with the error that the caller gets; null if the answer may end normally. Never rejects. */
  finish(answer: Answer, error: CallError | null): Promise<CallError | null>;
}

/** Passes a body on and withholds its end until the answer is recorded. */
export class RecordedBody implements AnswerBody, BodySink {
  protected readonly source: AnswerBody;
  readonly #answer: Answer;
  readonly #recording: AnswerEnding;
  readonly #lease: BufferedBytesLease;
  #sink: BodySink | null = null;

  constructor(
    body: AnswerBody,
    answer: Answer,
    recording: AnswerEnding,
    lease: BufferedBytesLease,
  ) {
    this.source = body;
    this.#answer = answer;
    this.#recording = recording;
    this.#lease = lease;
  }

  pipe(sink: BodySink): void {
    this.#sink = sink;
    this.source.pipe(this);
  }

  resume(): void {
    this.source.resume();
  }

  cancel(reason: CallError): void {
    this.source.cancel(reason);
  }

  write(chunk: Uint8Array): boolean {
    return this.#sink?.write(chunk) ?? true;
  }

  end(tail: readonly Uint8Array[]): void {
    // Withheld bytes count towards max_buffered_bytes.
    for (const bytes of tail) this.#lease.grow(bytes.byteLength);
    void this.finish(tail);
  }

  fail(error: CallError): void {
    void this.#abandon(error);
  }

  /** Records the answer; then it may end. */
  protected async finish(tail: readonly Uint8Array[]): Promise<void> {
    const error = await this.#recording.finish(this.#answer, null);
    if (error === null) this.#sink?.end(tail);
    else this.#sink?.fail(error);
  }

  async #abandon(error: CallError): Promise<void> {
    this.#sink?.fail((await this.#recording.finish(this.#answer, error)) ?? error);
  }
}

/**
 * Withholds the whole body, so that status and headers wait for the row as well. Refuses a body too large to be
 * recorded unchanged. Its bytes are already counted by its reading, which keeps the same ones.
 */
export class WithheldBody extends RecordedBody {
  readonly #maxBytes: number;
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;

  /** @param maxBytes maximum size of the body, in bytes */
  constructor(
    body: AnswerBody,
    answer: Answer,
    recording: AnswerEnding,
    lease: BufferedBytesLease,
    maxBytes: number,
  ) {
    super(body, answer, recording, lease);
    this.#maxBytes = maxBytes;
  }

  override write(chunk: Uint8Array): boolean {
    this.#withhold(chunk);
    if (this.#isTooLarge) this.source.cancel(tooLarge(this.#maxBytes));
    return true;
  }

  override end(tail: readonly Uint8Array[]): void {
    for (const chunk of tail) this.#withhold(chunk);
    if (this.#isTooLarge) this.fail(tooLarge(this.#maxBytes));
    else void this.finish(this.#chunks);
  }

  get #isTooLarge(): boolean {
    return this.#bytes > this.#maxBytes;
  }

  #withhold(chunk: Uint8Array): void {
    this.#bytes += chunk.byteLength;
    this.#chunks.push(chunk);
  }
}

function tooLarge(maxBytes: number): GatewayError {
  return new GatewayError(
    "upstream_invalid_response",
    `The upstream's answer is larger than max_capture_bytes (${maxBytes}) and cannot be recorded.`,
    { retryable: false },
  );
}
