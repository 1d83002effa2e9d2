import type { IncomingMessage, ServerResponse } from "node:http";
import { MIMEType } from "node:util";
import { Problem } from "../answer/problem.ts";
import { type BodyLimits, readBytes } from "./read-bytes.ts";

/**
 * A request's body, read once when it is first asked for. Its methods reject with
 * - a `Problem`: 413 too large, 408 too slow, 415 of another kind than was asked for, 400 malformed
 * - an `AbortError`: the caller left before its body was whole
 */
export class RequestBody {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #limits: BodyLimits;
  #bytes: Promise<Buffer> | null = null;

  constructor(request: IncomingMessage, response: ServerResponse, limits: BodyLimits) {
    this.#request = request;
    this.#response = response;
    this.#limits = limits;
  }

  /** Whether it was asked for and has not come whole: it was too large or too slow, or nobody waited. */
  get isCutShort(): boolean {
    return this.#bytes !== null && !this.#request.complete;
  }

  bytes(): Promise<Buffer> {
    this.#bytes ??= readBytes(this.#request, this.#response, this.#limits);
    return this.#bytes;
  }

  /** UTF-8, whatever its media type; a byte order mark is taken off. */
  async text(): Promise<string> {
    const charset = this.#mediaType()?.params.get("charset") ?? "utf-8";
    if (!["utf-8", "us-ascii"].includes(charset.toLowerCase()))
      throw new Problem(415, `Bodies in '${charset}' are not read. Send UTF-8.`);
    const bytes = await this.bytes();
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      throw new Problem(400, "The body is not UTF-8.");
    }
  }

  /** JSON of the media type `application/json` or `<anything>+json`. */
  json(): Promise<unknown>;
  /** @param read makes of the body what the operation wants; what it throws is answered 400 with its message */
  json<T>(read: (value: unknown) => T | Promise<T>): Promise<T>;
  async json(read?: (value: unknown) => unknown): Promise<unknown> {
    const value = await this.#jsonValue();
    if (read === undefined) return value;
    try {
      return await read(value);
    } catch (error) {
      if (error instanceof Problem) throw error;
      throw new Problem(400, error instanceof Error ? error.message : String(error));
    }
  }

  async #jsonValue(): Promise<unknown> {
    const request = this.#request;
    // A body parser of Express came first.
    if (this.#bytes === null && request.readableEnded && "body" in request) return request.body;
    const { headers } = request;
    if ((headers["content-length"] ?? "0") === "0" && headers["transfer-encoding"] === undefined)
      throw missing();
    const type = this.#mediaType();
    if (type === null || !(type.subtype === "json" || type.subtype.endsWith("+json")))
      throw new Problem(415, `The body is '${type?.essence ?? "of no type"}', not JSON.`, {
        headers: { accept: "application/json" },
      });
    const text = await this.text();
    if (text === "") throw missing();
    try {
      return JSON.parse(text);
    } catch (error) {
      throw new Problem(400, `The body is not JSON: ${(error as Error).message}.`);
    }
  }

  /** Null where there is none, or none that can be read. */
  #mediaType(): MIMEType | null {
    try {
      return new MIMEType(this.#request.headers["content-type"] ?? "");
    } catch {
      return null;
    }
  }
}

function missing(): Problem {
  return new Problem(400, "The body is missing. Send JSON.");
}
