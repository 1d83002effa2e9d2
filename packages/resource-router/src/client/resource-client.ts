import { encodeId } from "../routing/segment.ts";
import { type CallOptions, type ClientOptions, call } from "./call.ts";
import { readLocation, readValue } from "./read-answer.ts";

export interface ResourceClientOptions<Item, Index> extends ClientOptions {
  /** Makes an item of what the server sends, or throws. @default the type is taken on trust */
  readonly readItem?: (value: unknown) => Item;
  /** The same for what `index` gives. @default the type is taken on trust */
  readonly readIndex?: (value: unknown) => Index;
}

export interface Created<Item> {
  /** Read from the answer's `Location`. */
  readonly id: string;
  /** `Location` as an absolute URL. */
  readonly location: string;
  /** Undefined where the server sent none. */
  readonly item: Item | undefined;
}

/**
 * A resource of a server. Every call rejects with
 * - a `RequestFailedError`, where the answer is no success or cannot be read
 * - a `TimeoutError`, or the reason of the signal that was given
 * - a `TypeError`, where the server cannot be reached, or no URL can hold the id
 */
export interface ResourceClient<Item, Index> {
  index(options?: CallOptions): Promise<Index>;
  find(id: string, options?: CallOptions): Promise<Item>;
  create(value: unknown, options?: CallOptions): Promise<Created<Item>>;
  /** Resolves with undefined where the server sends nothing back. */
  update(id: string, value: unknown, options?: CallOptions): Promise<Item | undefined>;
  delete(id: string, options?: CallOptions): Promise<void>;
}

/** @param url of the collection, such as `https://example.com/api/snips` */
export function createResourceClient<Item = unknown, Index = unknown>(
  url: string | URL,
  options?: ResourceClientOptions<Item, Index>,
): ResourceClient<Item, Index>;
export function createResourceClient(
  url: string | URL,
  options: ResourceClientOptions<unknown, unknown> = {},
): ResourceClient<unknown, unknown> {
  const { readItem = asItIs, readIndex = asItIs } = options;
  const collection = new URL(url);
  if (!collection.pathname.endsWith("/")) collection.pathname += "/";
  const itemAt = (id: string): URL => new URL(encodeId(id), collection);
  const readIfAny = (value: unknown): unknown =>
    value === undefined ? undefined : readItem(value);

  return {
    async index(given) {
      return readIndex(
        readValue(await call(options, { ...given, method: "GET", url: collection })),
      );
    },
    async find(id, given) {
      return readItem(readValue(await call(options, { ...given, method: "GET", url: itemAt(id) })));
    },
    async create(value, given) {
      const answer = await call(options, { ...given, method: "POST", url: collection, value });
      return { ...readLocation(answer), item: readIfAny(readValue(answer)) };
    },
    async update(id, value, given) {
      const answer = await call(options, { ...given, method: "PUT", url: itemAt(id), value });
      return readIfAny(readValue(answer));
    },
    async delete(id, given) {
      await call(options, { ...given, method: "DELETE", url: itemAt(id) });
    },
  };
}

function asItIs(value: unknown): unknown {
  return value;
}
