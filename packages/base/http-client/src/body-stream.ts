const encoder = new TextEncoder();

/**
 * A request body that is read while it is sent, and only when the other side has taken the previous chunk.
 * @param fail gets the error that reading it failed with
 */
export function bodyStream(
  source: AsyncIterable<string | Uint8Array>,
  fail: (error: unknown) => void,
): {
  readonly stream: ReadableStream<Uint8Array>;
  /** Stops reading the source, and breaks off a request that is still being sent. */
  readonly end: () => void;
} {
  const iterator = source[Symbol.asyncIterator]();
  let isOver = false;
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    controller?.error(new Error("the call has ended"));
    iterator.return?.().catch(() => {});
  };
  const pull = async (given: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    controller = given;
    try {
      const { done = false, value } = await iterator.next();
      if (isOver) return;
      isOver = done;
      if (done) given.close();
      else given.enqueue(typeof value === "string" ? encoder.encode(value) : value);
    } catch (error) {
      if (isOver) return;
      isOver = true;
      fail(error);
      given.error(error);
    }
  };
  const stream = new ReadableStream({ pull, cancel: end }, { highWaterMark: 0 });
  return { stream, end };
}
