import { Problem } from "../answer/problem.ts";
import { isJson, type MediaType, readMediaType } from "./media-type.ts";
import type { RequestHeaders } from "./request-headers.ts";

/** The source of a body. */
export interface BodySource {
  readonly headers: RequestHeaders;
  /** Whether the request says that it has no body. */
  readonly isMissing: boolean;
  /** The result of a body parser that ran before the router; null: there was none. */
  readonly parsed: { readonly value: unknown } | null;
  /**
   * Reads the whole body.
   * @throws Problem 413, 408 and 415
   * @throws DOMException AbortError: the caller disconnected before its body was complete
   */
  read(): Promise<Uint8Array>;
}

/**
 * A request's body, read once, on demand. Its methods reject with
 * - a `Problem`: 413 too large, 408 too slow, 415 of the wrong type, 400 malformed
 * - an `AbortError`: the caller disconnected before its body was complete
 */
export class RequestBody {
  readonly #source: BodySource;
  #bytes: Promise<Uint8Array> | null = null;

  constructor(source: BodySource) {
    this.#source = source;
  }

  /** Whether reading the body has begun. */
  get wasAsked(): boolean {
    return this.#bytes !== null;
  }

  bytes(): Promise<Uint8Array> {
    this.#bytes ??= this.#source.read();
    return this.#bytes;
  }

  /** UTF-8, of any media type; a byte order mark is removed. */
  async text(): Promise<string> {
    const charset = this.#mediaType()?.charset ?? "utf-8";
    if (!["utf-8", "us-ascii"].includes(charset))
      throw new Problem(415, `The body's charset is '${charset}'. Send UTF-8.`);
    const bytes = await this.bytes();
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      throw new Problem(400, "The body is not UTF-8.");
    }
  }

  /** JSON with the media type `application/json` or `<anything>+json`. */
  json(): Promise<unknown>;
  /** @param read turns the value into what the operation needs; its errors are answered 400 with their message */
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
    const { parsed, isMissing } = this.#source;
    if (this.#bytes === null && parsed !== null) return parsed.value;
    if (isMissing) throw missing();
    const type = this.#mediaType();
    if (type === null || !isJson(type))
      throw new Problem(415, `The body has ${describe(type)}. Send JSON.`, {
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

  #mediaType(): MediaType | null {
    return readMediaType(this.#source.headers["content-type"]);
  }
}

function describe(type: MediaType | null): string {
  return type === null ? "no content-type" : `the type '${type.essence}'`;
}

function missing(): Problem {
  return new Problem(400, "The body is missing. Send JSON.");
}
