export type Stream = AsyncIterable<unknown> | ReadableStream<unknown>;

export function isStream(body: unknown): body is Stream {
  return (
    typeof body === "object" &&
    body !== null &&
    (Symbol.asyncIterator in body || "getReader" in body)
  );
}

/** A stream that is being sent. */
export interface Source {
  /** @throws what the stream fails with */
  next(): Promise<Chunk>;
  /** Ends the stream at any point; may be called at any time. */
  close(): void;
}

interface Chunk {
  readonly done?: boolean | undefined;
  readonly value?: unknown;
}

/** Streams that were sent or are being sent. */
const taken: WeakSet<object> = new WeakSet();

/** @throws TypeError it was already read: the answer would silently be empty */
export function openSource(stream: Stream): Source {
  if (taken.has(stream) || wasRead(stream))
    throw new TypeError("The stream has already been read.");
  if ("getReader" in stream) {
    taken.add(stream);
    const reader = stream.getReader();
    return { next: () => reader.read(), close: () => void reader.cancel().catch(ignore) };
  }
  const iterator = stream[Symbol.asyncIterator]();
  const own: object = iterator;
  if ("destroy" in stream && typeof stream.destroy === "function") {
    taken.add(stream);
    // An error after the end has no listener, and would end the process.
    if ("on" in stream && typeof stream.on === "function") stream.on("error", ignore);
    const { destroy } = stream;
    return { next: () => iterator.next(), close: () => void destroy.call(stream) };
  }
  // Any other iterable can be iterated again: it gives a new iterator each time.
  if (own === stream) taken.add(stream);
  return {
    next: () => iterator.next(),
    close: () => void Promise.resolve(iterator.return?.()).catch(ignore),
  };
}

function ignore(): void {}

/** What Node's streams and web streams report about themselves. */
function wasRead(stream: object): boolean {
  if ("locked" in stream && stream.locked === true) return true;
  const { destroyed, errored, readableDidRead }: ReadState = stream;
  // A stream that has failed throws when it is read.
  return (destroyed === true && (errored ?? null) === null) || readableDidRead === true;
}

interface ReadState {
  readonly destroyed?: boolean;
  readonly errored?: Error | null;
  readonly readableDidRead?: boolean;
}

/** @throws TypeError the chunk is neither a string nor bytes */
export function requireBytes(chunk: unknown): string | Uint8Array {
  if (typeof chunk === "string" || chunk instanceof Uint8Array) return chunk;
  throw new TypeError("A stream that is sent must consist of strings and Uint8Arrays.");
}
