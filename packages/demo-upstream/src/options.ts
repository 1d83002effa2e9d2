import type { IncomingHttpHeaders } from "node:http";

export interface DemoUpstreamOptions {
  /** @default "127.0.0.1" */
  readonly host?: string;
  /** @default 0, which is any free port */
  readonly port?: number;
  /** Milliseconds before an answer begins. @default 0 */
  readonly delayMs?: number;
  /** Milliseconds before each event of a stream but the first. @default 0 */
  readonly tokenDelayMs?: number;
  /** Tool results since the last user message after which it answers in text. @default 3 */
  readonly toolRounds?: number;
  /** The bearer key that callers must send; null: any caller is welcome. @default null */
  readonly apiKey?: string | null;
  /** The models there are; empty: any name is taken, and the list says `demo`. @default [] */
  readonly models?: readonly string[];
  /** Is told of every request once its body has come, before it is answered. */
  readonly onRequest?: (request: DemoRequest) => void;
}

export interface DemoRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}
