/** A request in the form that `fetch` takes. */
export interface SentRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | ReadableStream<Uint8Array> | null;
  readonly signal: AbortSignal;
  /** Required for streamed bodies. */
  readonly duplex: "half";
  readonly redirect: "manual";
}

/** The part of a `Response` that is used. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: { forEach(each: (value: string, name: string) => void): void };
  readonly body: Pick<ReadableStream<Uint8Array>, "getReader"> | null;
}

/** How requests leave this machine. */
export interface Connections {
  send(url: URL, request: SentRequest): Promise<RawAnswer>;
  /** Closes every connection of this client. */
  close(): void;
}
