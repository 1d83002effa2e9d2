import { within } from "../time-out.ts";
import type { Reply } from "./reply.ts";
import type { ParsedRequest } from "./request-parser.ts";

export interface RequestPlace {
  /** 1 for the upstream's first request, counted over all connections. */
  readonly order: number;
  /** 1 for the upstream's first connection. */
  readonly connection: number;
  /** 1 for the first request on its connection. */
  readonly orderOnConnection: number;
}

/** A request, including its body, that a faulty upstream received. */
export class RecordedRequest implements RequestPlace {
  readonly order: number;
  readonly connection: number;
  readonly orderOnConnection: number;
  readonly method: string;
  readonly path: string;
  readonly headers: ParsedRequest["headers"];
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly reply: Reply;
  readonly #socketClosed: Promise<void>;

  constructor(
    place: RequestPlace,
    request: ParsedRequest,
    reply: Reply,
    socketClosed: Promise<void>,
  ) {
    this.order = place.order;
    this.connection = place.connection;
    this.orderOnConnection = place.orderOnConnection;
    this.method = request.method;
    this.path = request.path;
    this.headers = request.headers;
    this.rawHeaders = request.rawHeaders;
    this.body = request.body;
    this.reply = reply;
    this.#socketClosed = socketClosed;
  }

  /** The body, parsed. */
  json(): unknown {
    return JSON.parse(this.body.toString());
  }

  /**
   * Resolves when the caller has closed the connection before the answer was finished: the upstream
   * saw the cancellation. Rejects if the answer was finished by then, or at the time-out.
   */
  async closed(timeoutMs?: number): Promise<void> {
    if (!this.reply.finished) {
      await within(this.#socketClosed, `the caller of ${this} to close its connection`, timeoutMs);
    }
    if (this.reply.finished) throw new Error(`The answer to ${this} was finished, not cancelled.`);
  }

  toString(): string {
    return `request ${this.order} (${this.method} ${this.path})`;
  }
}
