const encoder = new TextEncoder();

/** A request body that is read while it is sent. */
export interface BodyStream {
  readonly stream: ReadableStream<Uint8Array>;
  /** The error that reading it failed with; null: none yet. */
  readonly failure: { readonly error: unknown } | null;
  readonly isRead: boolean;
  /** Stops reading the source: after an abort, `fetch` itself would go on reading for ever. */
  end(): void;
}

/** Reads on only when the other side has taken the previous chunk. */
export function bodyStream(source: AsyncIterable<string | Uint8Array>): BodyStream {
  const iterator = source[Symbol.asyncIterator]();
  let failure: BodyStream["failure"] = null;
  let isRead = false;
  let isEnded = false;
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  const stream = new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given;
      },
      async pull(controller) {
        try {
          const { done = false, value } = await iterator.next();
          if (isEnded) return;
          isRead = done;
          if (done) controller.close();
          else controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
        } catch (error) {
          if (isEnded) return;
          failure = { error };
          controller.error(error);
        }
      },
      cancel: () => end(),
    },
    { highWaterMark: 0 },
  );
  const end = (): void => {
    if (isEnded || isRead) return;
    isEnded = true;
    controller?.error(new Error("the call has ended"));
    iterator.return?.().catch(() => {});
  };
  return {
    stream,
    end,
    get failure() {
      return failure;
    },
    get isRead() {
      return isRead;
    },
  };
}
