import type { Socket } from "node:net";
import { type buildConnector, Client, type Dispatcher } from "undici";
import { type Carrier, Exchange } from "./exchange.ts";

/** An undici client, which is a single connection, that knows what was written to it. */
export class Connection extends Client implements Carrier {
  written = 0;
  readonly #current: { socket: Socket | null };

  constructor(origin: string | URL, connect: buildConnector.connector, options: Client.Options) {
    const current: { socket: Socket | null } = { socket: null };
    super(origin, {
      ...options,
      connect: (target, callback) =>
        connect(target, (...connected) => {
          current.socket = connected[1];
          callback(...connected);
        }),
    });
    this.#current = current;
    this.on("connect", () => {
      this.written = 0;
    });
  }

  get hasSentAll(): boolean {
    return this.#current.socket?.writableLength === 0;
  }

  override dispatch(
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): boolean {
    if (handler instanceof Exchange) handler.carrier = this;
    return super.dispatch(options, handler);
  }
}
