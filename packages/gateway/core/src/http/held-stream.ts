import type { ServerResponse } from "node:http";
import type { Endpoint } from "@proj/model-apis";
import type { Answer } from "../call/answer.ts";
import type { WhileHeld } from "../call/call.ts";
import { type CallError, CallerGoneError, GatewayError } from "../errors/gateway-error.ts";
import { requestIdHeaders } from "./answer-head.ts";

export interface HeldStreamOptions {
  readonly request_id: string;
  readonly endpoint: Endpoint;
  /** Time between two comments, in milliseconds. */
  readonly keepAliveMs: number;
  /** Longest time for the caller to read the last event, in milliseconds. */
  readonly stallMs: number;
  readonly ownHeaders: () => readonly string[];
}

/** How much of an answer an error event repeats, in bytes. */
const keptBytes = 16 * 1024;
const comment = Buffer.from(": the route is paused\n\n");

/**
 * Keeps a stream's caller connected while its route is paused: the stream begins early and carries comments
 * before it is known how the call ends. An answer that is not a stream must then be sent as an error event.
 */
export class HeldStream implements WhileHeld {
  readonly #res: ServerResponse;
  readonly #options: HeldStreamOptions;
  #hasBegun = false;

  constructor(res: ServerResponse, options: HeldStreamOptions) {
    this.#res = res;
    this.#options = options;
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  begin(isHeld: () => boolean): () => void {
    const tick = (): void => {
      if (isHeld() && !this.#res.destroyed) this.#comment();
    };
    const timer = setInterval(tick, this.#options.keepAliveMs);
    return () => clearInterval(timer);
  }

  /** Sends an answer that is not a stream, and settles it. */
  relay(answer: Answer): void {
    const kept: Uint8Array[] = [];
    let length = 0;
    const keep = (chunk: Uint8Array): void => {
      if (length < keptBytes) kept.push(chunk);
      length += chunk.length;
    };
    answer.body.pipe({
      write: (chunk) => {
        keep(chunk);
        return true;
      },
      end: (tail) => {
        for (const chunk of tail) keep(chunk);
        const text =
          answer.format === "encoded" ? "" : Buffer.concat(kept).toString("utf8", 0, keptBytes);
        const message = `The upstream answered ${answer.status} instead of a stream: ${text}`;
        const error = new GatewayError("upstream_invalid_response", message);
        this.#end(error, (gone) => answer.settle({ error: gone }));
      },
      fail: (error) => this.#end(error, () => answer.settle({ error })),
    });
  }

  /** Ends the stream with an error. */
  fail(error: GatewayError): void {
    this.#end(error, () => {});
  }

  #comment(): void {
    const res = this.#res;
    const { endpoint, request_id, ownHeaders } = this.#options;
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      const ids = requestIdHeaders(endpoint, request_id);
      const type = ["content-type", "text/event-stream", "cache-control", "no-cache"];
      res.writeHead(200, [...type, ...ids, ...ownHeaders()]);
    }
    res.write(comment);
  }

  #end(error: CallError, ended: (gone: CallerGoneError | null) => void): void {
    const res = this.#res;
    const { endpoint, request_id, stallMs } = this.#options;
    if (res.destroyed || error instanceof CallerGoneError) {
      ended(new CallerGoneError("the caller left"));
      return;
    }
    const stall = setTimeout(() => res.destroy(), stallMs);
    res.once("close", () => {
      clearTimeout(stall);
      ended(res.writableFinished ? null : new CallerGoneError("the caller left"));
    });
    const reader = endpoint.openStream?.({ assemble: false, maxBytes: 0 });
    res.end(reader?.errorEvent(error, request_id) ?? "");
  }
}
