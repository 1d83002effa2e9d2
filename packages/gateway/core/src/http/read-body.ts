import type { IncomingMessage, ServerResponse } from "node:http";
import type { GatewayConfig } from "@proj/gateway-protocol";
import { type BufferedBytes, type BufferedBytesLease, freeBytes } from "../call/body-memory.ts";
import type { Cancellable, Cancellation } from "../call/cancellation.ts";
import {
  asGatewayError,
  type CallError,
  CallerGoneError,
  GatewayError,
} from "../errors/gateway-error.ts";
import { Lookout, type Watched } from "../waiting/lookout.ts";

export interface BodyLimits extends BodyPace {
  readonly maxBytes: number;
}

/** How fast a body must arrive. Times are in milliseconds. */
export interface BodyPace {
  /** Longest silence within a body. */
  readonly idleMs: number;
  /** Longest time for the whole body. */
  readonly totalMs: number;
  /** Bytes that must arrive in each window of `windowMs`. */
  readonly windowBytes: number;
  readonly windowMs: number;
}

/** A shorter window says nothing about a sender's rate. */
const minWindowMs = 10_000;

export function bodyPace(config: GatewayConfig): BodyPace {
  const { caller_body_idle_s, caller_body_total_s } = config.timeouts;
  const idleMs = 1_000 * caller_body_idle_s;
  const windowMs = Math.max(minWindowMs, idleMs);
  const windowBytes = (config.min_body_rate_bytes * windowMs) / 1_000;
  return { idleMs, totalMs: 1_000 * caller_body_total_s, windowBytes, windowMs };
}

/** A request and its response. */
export interface HttpExchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** Stops the reading, with its reason. */
  readonly cancellation?: Cancellation;
}

/**
 * Reads a request's whole body.
 * @returns rejects with a CallerGoneError if the connection ends before the body does, with the cancellation's reason, or
 * with a GatewayError: request_too_large, overloaded, request_timeout
 * @throws GatewayError request_too_large, unsupported_encoding, overloaded: the headers already say so
 */
export function readBody(
  exchange: HttpExchange,
  limits: BodyLimits,
  buffered: BufferedBytes,
  lease: BufferedBytesLease,
): Promise<Buffer> {
  const { req, res } = exchange;
  const { maxBytes } = limits;
  const encoding = req.headers["content-encoding"];
  if (encoding !== undefined && encoding.toLowerCase() !== "identity")
    throw new GatewayError(
      "unsupported_encoding",
      `Request bodies encoded as '${encoding}' are not supported. Send the body without content-encoding.`,
    );
  const length = Number(req.headers["content-length"] ?? 0);
  if (length > maxBytes) throw tooLarge(maxBytes);
  buffered.checkRoom(length);
  // Only now, so that a refused body need not be sent (RFC 9110, section 10.1.1).
  if (awaitsContinue(req)) res.writeContinue();
  return new BodyReading(exchange, limits, buffered, lease).bytes;
}

/**
 * One body being read: a single object, because a closure per event would cost more than a small body's
 * bytes.
 */
class BodyReading implements Watched, Cancellable {
  place: Watched["place"] = null;

  readonly #req: IncomingMessage;
  readonly #cancellation: Cancellation | undefined;
  readonly #limits: BodyLimits;
  readonly #buffered: BufferedBytes;
  readonly #lease: BufferedBytesLease;
  readonly #body: PromiseWithResolvers<Buffer> = Promise.withResolvers();
  readonly #chunks: Buffer[] = [];
  readonly #began: number = performance.now();
  #length = 0;
  #heard: number = this.#began;
  /** When the rate was last checked, and how much had arrived by then. */
  #checked: number = this.#began;
  #lengthThen = 0;
  #over = false;

  constructor(
    { req, cancellation }: HttpExchange,
    limits: BodyLimits,
    buffered: BufferedBytes,
    lease: BufferedBytesLease,
  ) {
    this.#req = req;
    this.#cancellation = cancellation;
    this.#limits = limits;
    this.#buffered = buffered;
    this.#lease = lease;
    // Every request emits `close`, and creating an error takes time.
    const onCut = (): void => {
      if (this.#over) return;
      this.#fail(new CallerGoneError("the caller left before its request was whole"));
    };
    // The listeners stay for as long as the request does: an error that comes after the body must find one, or
    // it would end the process.
    req
      .on("data", (chunk: Buffer) => this.#take(chunk))
      .on("end", () => this.#finish())
      .on("error", onCut);
    // A cancellation comes when the connection closes.
    if (cancellation === undefined) req.on("close", onCut);
    const { idleMs, totalMs, windowMs } = limits;
    lookout.watch(this, this.#began + Math.min(idleMs, totalMs, windowMs));
    cancellation?.add(this);
  }

  get bytes(): Promise<Buffer> {
    return this.#body.promise;
  }

  /** Only for the lookout. */
  look(now: number): void {
    const { idleMs, totalMs, windowBytes, windowMs } = this.#limits;
    if (now >= this.#began + totalMs)
      this.#fail(timedOut(`was not whole within ${totalMs} ms (timeouts.caller_body_total_s)`));
    else if (now >= this.#heard + idleMs)
      this.#fail(timedOut(`paused for ${idleMs} ms (timeouts.caller_body_idle_s)`));
    else if (now >= this.#checked + windowMs && this.#length - this.#lengthThen < windowBytes)
      this.#fail(timedOut("arrived more slowly than min_body_rate_bytes"));
    else {
      if (now >= this.#checked + windowMs) {
        this.#checked = now;
        this.#lengthThen = this.#length;
      }
      const next = Math.min(this.#began + totalMs, this.#heard + idleMs, this.#checked + windowMs);
      lookout.watch(this, next);
    }
  }

  cancel(reason: CallError): void {
    this.#fail(reason);
  }

  #take(chunk: Buffer): void {
    if (this.#over) return;
    const { maxBytes } = this.#limits;
    this.#length += chunk.length;
    if (this.#length > maxBytes) {
      this.#fail(tooLarge(maxBytes));
      return;
    }
    try {
      this.#buffered.checkRoom(chunk.length);
    } catch (error) {
      this.#fail(asGatewayError(error));
      return;
    }
    this.#lease.grow(chunk.length);
    this.#chunks.push(chunk);
    this.#heard = performance.now();
  }

  #finish(): void {
    if (this.#over) return;
    this.#settle();
    this.#body.resolve(joined(this.#chunks, this.#length));
  }

  #fail(error: Error): void {
    if (this.#over) return;
    this.#settle();
    this.#req.pause();
    this.#body.reject(error);
  }

  #settle(): void {
    this.#over = true;
    this.#cancellation?.remove(this);
    lookout.forget(this);
  }
}

const lookout = new Lookout();

function joined(chunks: readonly Buffer[], length: number): Buffer {
  const [only] = chunks;
  if (chunks.length === 1 && only !== undefined) return only;
  // Not from Node's pool: a body that is kept would keep the pool's whole block.
  const body = Buffer.allocUnsafeSlow(length);
  let end = 0;
  for (const chunk of chunks) {
    end += chunk.copy(body, end);
    freeBytes(chunk);
  }
  return body;
}

/** Whether Node's server leaves answering `100 Continue` to us, by Node's own rule. */
function awaitsContinue({ headers, httpVersion }: IncomingMessage): boolean {
  const { expect } = headers;
  return (
    expect !== undefined && httpVersion === "1.1" && /(?:^|\W)100-continue(?:$|\W)/i.test(expect)
  );
}

function tooLarge(maxBytes: number): GatewayError {
  return new GatewayError(
    "request_too_large",
    `The request's body is larger than the limit of ${maxBytes} bytes.`,
  );
}

function timedOut(what: string): GatewayError {
  return new GatewayError("request_timeout", `The request's body ${what}.`);
}
