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
  /** Answers in text after this number of tool results since the last user message. @default 3 */
  readonly toolRounds?: number;
  /** The bearer key that callers must send; null: none needed. @default null */
  readonly apiKey?: string | null;
  /** The model names that exist; empty: any name is accepted, and the list says `demo`. @default [] */
  readonly models?: readonly string[];
  /** Called for every request once its body has arrived, before it is answered. */
  readonly onRequest?: (request: DemoRequest) => void;
}

export interface DemoRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}
