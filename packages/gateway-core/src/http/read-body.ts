import type { IncomingMessage, ServerResponse } from "node:http";
import { asGatewayError, CallerGoneError, GatewayError } from "../gateway-error.ts";
import { Lookout, type Watched } from "../lookout.ts";
import type { BufferedBytes, BufferedBytesLease } from "./buffered-bytes.ts";

export interface BodyLimits {
  readonly maxBytes: number;
  /** Longest silence in the middle of a body, in milliseconds. */
  readonly idleMs: number;
}

/** A request and the answer to it. */
export interface HttpExchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/**
 * Reads a request's body whole.
 * @throws GatewayError request_too_large, unsupported_encoding, overloaded, request_timeout
 * @throws CallerGoneError the connection ended before the body did
 */
export async function readBody(
  { req, res }: HttpExchange,
  limits: BodyLimits,
  buffered: BufferedBytes,
  lease: BufferedBytesLease,
): Promise<Buffer> {
  const { maxBytes } = limits;
  const encoding = req.headers["content-encoding"];
  if (encoding !== undefined && encoding.toLowerCase() !== "identity")
    throw new GatewayError(
      "unsupported_encoding",
      `Request bodies encoded as '${encoding}' are not read. Send the body without content-encoding.`,
    );
  const length = Number(req.headers["content-length"] ?? 0);
  if (length > maxBytes) throw tooLarge(maxBytes);
  buffered.checkRoom(length);
  // Only now, so that a body that is refused need not be sent (RFC 9110, section 10.1.1).
  if (awaitsContinue(req)) res.writeContinue();
  return new BodyReading(req, limits, buffered, lease).bytes;
}

/** One body on its way: one object, where a closure for each event would cost more than a small body's bytes. */
class BodyReading implements Watched {
  place: Watched["place"] = null;

  readonly #req: IncomingMessage;
  readonly #limits: BodyLimits;
  readonly #buffered: BufferedBytes;
  readonly #lease: BufferedBytesLease;
  readonly #body: PromiseWithResolvers<Buffer> = Promise.withResolvers();
  readonly #chunks: Buffer[] = [];
  #length = 0;
  #heard: number = performance.now();
  #over = false;

  constructor(
    req: IncomingMessage,
    limits: BodyLimits,
    buffered: BufferedBytes,
    lease: BufferedBytesLease,
  ) {
    this.#req = req;
    this.#limits = limits;
    this.#buffered = buffered;
    this.#lease = lease;
    // Every request is closed; only one that is not over was cut. An error takes time to make.
    const onCut = (): void => {
      if (this.#over) return;
      this.#fail(new CallerGoneError("the caller left before its request was whole"));
    };
    // They are left to the request, which is gone with its answer; an error that comes later
    // has nobody to tell, and must not end the process.
    req
      .on("data", (chunk: Buffer) => this.#take(chunk))
      .on("end", () => this.#finish())
      .on("error", onCut)
      .on("close", onCut);
    lookout.watch(this, this.#heard + limits.idleMs);
  }

  get bytes(): Promise<Buffer> {
    return this.#body.promise;
  }

  /** For the lookout alone. */
  look(now: number): void {
    const { idleMs } = this.#limits;
    if (now >= this.#heard + idleMs) this.#fail(timedOut(idleMs));
    else lookout.watch(this, this.#heard + idleMs);
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
    lookout.forget(this);
  }
}

const lookout = new Lookout();

function joined(chunks: readonly Buffer[], length: number): Buffer {
  const [only] = chunks;
  if (chunks.length === 1 && only !== undefined) return only;
  const body = Buffer.concat(chunks, length);
  for (const chunk of chunks) free(chunk);
  return body;
}

/**
 * Gives a chunk's memory back at once. It is outside of V8's heap, and V8 would look for it in a full
 * collection: with bodies of 200 KB, one for every hundred requests.
 */
function free({ buffer, length }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0);
}

/** The same rule by which Node's server leaves it to us to answer 100. */
function awaitsContinue({ headers, httpVersion }: IncomingMessage): boolean {
  const { expect } = headers;
  return (
    expect !== undefined && httpVersion === "1.1" && /(?:^|\W)100-continue(?:$|\W)/i.test(expect)
  );
}

function tooLarge(maxBytes: number): GatewayError {
  return new GatewayError(
    "request_too_large",
    `The request's body is larger than ${maxBytes} bytes, the most that is taken here.`,
  );
}

function timedOut(idleMs: number): GatewayError {
  return new GatewayError(
    "request_timeout",
    `The request's body stopped coming for ${idleMs} ms (timeouts.caller_body_idle_s).`,
  );
}
