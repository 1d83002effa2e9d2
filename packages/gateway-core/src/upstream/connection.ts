import { Client, type Dispatcher } from "undici";
import { type Carrier, Exchange } from "./exchange.ts";

/** An undici client, which is a single connection, that counts the requests written to it. */
export class Connection extends Client implements Carrier {
  written = 0;

  constructor(origin: string | URL, options: Client.Options) {
    super(origin, options);
    this.on("connect", () => {
      this.written = 0;
    });
  }

  override dispatch(
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): boolean {
    if (handler instanceof Exchange) handler.carrier = this;
    return super.dispatch(options, handler);
  }
}
