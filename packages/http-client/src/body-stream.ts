const encoder = new TextEncoder();

/** A body that is read as it is sent. */
export interface BodyStream {
  readonly stream: ReadableStream<Uint8Array>;
  /** What reading it failed with; null: it has not. */
  readonly failure: { readonly error: unknown } | null;
  readonly isRead: boolean;
  /** Nobody reads on: `fetch` itself would, for ever, once it has been aborted. */
  end(): void;
}

/** Reads on only where the other side has taken what came before. */
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
