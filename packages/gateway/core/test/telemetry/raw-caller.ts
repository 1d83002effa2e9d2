import {
  parseRawAnswer,
  type RawAnswer,
  type RawConnection,
  rawRequest,
  waitFor,
} from "@proj/test-kit";
import type { TestGateway } from "../start-gateway.ts";
import { rawPost } from "./bound-calls.ts";

/** A caller that reads an answer byte by byte as it comes, on its own connection. */
export interface RawCaller extends AsyncDisposable {
  readonly connection: RawConnection;
  readonly received: RawAnswer;
  /** Resolves once the body contains the text. */
  until(text: string): Promise<RawAnswer>;
  /** Resolves once the connection is closed in any way. */
  untilClosed(): Promise<RawAnswer>;
}

export async function rawCall(
  gateway: TestGateway,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawCaller> {
  const connection = await rawRequest(gateway.port, rawPost(path, body, headers));
  const received = (): RawAnswer => parseRawAnswer(connection.received.toString("latin1"));
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
