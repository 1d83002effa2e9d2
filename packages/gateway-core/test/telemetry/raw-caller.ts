import { type RawConnection, rawRequest, waitFor } from "@proj/test-kit";
import type { TestGateway } from "../start-gateway.ts";
import { rawPost } from "./bound-calls.ts";

/** What has come of an answer by now. */
export interface Received {
  /** Of the status line; null while it has not come. */
  readonly status: number | null;
  readonly headers: string;
  /** The body without its framing. */
  readonly body: string;
  /** The chunk that ends the body has come. */
  readonly whole: boolean;
}

/** A caller that sees an answer byte by byte, as it comes, on a connection of its own. */
export interface RawCaller extends AsyncDisposable {
  readonly connection: RawConnection;
  readonly received: Received;
  /** Resolves once the body contains the text. */
  until(text: string): Promise<Received>;
  /** Resolves once the connection is closed, in whatever way. */
  untilClosed(): Promise<Received>;
}

export async function rawCall(
  gateway: TestGateway,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawCaller> {
  const connection = await rawRequest(gateway.port, rawPost(path, body, headers));
  const received = (): Received => parse(connection.received.toString("latin1"));
  return {
    connection,
    get received() {
      return received();
    },
    until: (wanted) =>
      waitFor(() => {
        const now = received();
        return now.body.includes(wanted) ? now : null;
      }, `"${wanted}" in the body`),
    untilClosed: async () => {
      await connection.readUntilClosed();
      return received();
    },
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  };
}

function parse(text: string): Received {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return { status: null, headers: "", body: "", whole: false };
  const headers = text.slice(0, end).toLowerCase();
  const status = Number(/^http\/1\.1 (\d{3})/.exec(headers)?.[1]);
  const rest = text.slice(end + 4);
  if (headers.includes("transfer-encoding: chunked"))
    return { status, headers, ...readChunks(rest) };
  const length = Number(/content-length: (\d+)/.exec(headers)?.[1] ?? Infinity);
  return { status, headers, body: rest, whole: rest.length >= length };
}

function readChunks(text: string): { body: string; whole: boolean } {
  let body = "";
  let at = 0;
  for (;;) {
    const lineEnd = text.indexOf("\r\n", at);
    if (lineEnd < 0) return { body, whole: false };
    const size = Number.parseInt(text.slice(at, lineEnd), 16);
    if (size === 0) return { body, whole: true };
    body += text.slice(lineEnd + 2, lineEnd + 2 + size);
    at = lineEnd + 2 + size + 2;
  }
}
