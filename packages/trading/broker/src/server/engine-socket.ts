import type { IncomingMessage } from "node:http";

/** The part we use of the Engine.IO connection under a Socket.IO socket. */
export interface EngineSocket {
  /** The connection id used in headers. */
  readonly id: string;
  /** The request that opened it. */
  readonly request: IncomingMessage;
  readonly readyState: string;
  /** Packets that the transport has not taken yet. */
  readonly writeBuffer: readonly unknown[];
  write(text: string): unknown;
  /** @param discard true: without sending what is queued */
  close(discard: boolean): unknown;
  /** `drain`: the transport has taken `writeBuffer`. */
  on(event: "drain", listener: () => void): unknown;
  on(event: "close", listener: (reason: string) => void): unknown;
}
