import type { IncomingMessage } from "node:http";

/** What is used of an Engine.IO connection, the one under a Socket.IO socket. */
export interface EngineSocket {
  /** The connection id of the header. */
  readonly id: string;
  /** The request that opened it. */
  readonly request: IncomingMessage;
  /** What its transport has not taken yet. */
  readonly writeBuffer: readonly unknown[];
  write(text: string): unknown;
  /** @param discard without sending what waits */
  close(discard: boolean): unknown;
  /** `drain`: the transport has taken `writeBuffer`. */
  on(event: "drain", listener: () => void): unknown;
  on(event: "close", listener: (reason: string) => void): unknown;
}
