import { encodeId } from "../path/segment.ts";
import type { Resource } from "../routing/resource.ts";
import type { BodyOf, ResultOf } from "../schema/resource-types.ts";
import { type CallOptions, type ClientOptions, call } from "./call.ts";
import { readLocation, readValue } from "./read-answer.ts";

export interface ResourceClientOptions<Item, Index> extends ClientOptions {
  /** Turns the decoded body into an item, or throws. @default the type is not checked */
  readonly readItem?: (value: unknown) => Item;
  /** The same for the result of `index`. @default the type is not checked */
  readonly readIndex?: (value: unknown) => Index;
}

export interface Created<Item> {
  /** Read from the answer's `Location`. */
  readonly id: string;
  /** `Location` as an absolute URL. */
  readonly location: string;
  /** Undefined: the server did not send it. */
  readonly item: Item | undefined;
}

/**
 * A resource on a server. Every call rejects with
 * - a `RequestFailedError`: the answer is not a success or cannot be read
 * - a `TimeoutError`, or the reason of the given signal
 * - a `TypeError`: the server cannot be reached, or no URL can contain the id
 */
export interface ResourceClient<Item, Index, Sent extends SentBodies = SentBodies> {
  index(options?: CallOptions): Promise<Index>;
  find(id: string, options?: CallOptions): Promise<Item>;
  create(value: Sent["create"], options?: CallOptions): Promise<Created<Item>>;
  /** Resolves with undefined if the server does not return the item. */
  update(id: string, value: Sent["update"], options?: CallOptions): Promise<Item | undefined>;
  /** Sends a merge patch (RFC 7396). Resolves with undefined if the server does not return the item. */
  patch(id: string, value: Sent["patch"], options?: CallOptions): Promise<Item | undefined>;
  delete(id: string, options?: CallOptions): Promise<void>;
}

interface SentBodies {
  readonly create: unknown;
  readonly update: unknown;
  readonly patch: unknown;
}

/** The client of a resource whose server types are available: `ClientOf<typeof snips>`. */
export type ClientOf<R extends Resource> = ResourceClient<
  ResultOf<R["operations"]["find"]>,
  ResultOf<R["operations"]["index"]>,
  {
    readonly create: BodyOf<R["operations"]["create"]>;
    readonly update: BodyOf<R["operations"]["update"]>;
    readonly patch: BodyOf<R["operations"]["patch"]>;
  }
>;

/**
 * A client with the types of the resource itself, which are not checked: `createResourceClient<typeof snips>(url)`.
 * @param url of the collection, such as `https://example.com/api/snips`
 */
export function createResourceClient<R extends Resource>(
  url: string | URL,
  options?: ClientOptions,
): ClientOf<R>;
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
    async patch(id, value, given) {
      const headers = { "content-type": "application/merge-patch+json", ...given?.headers };
      const url = itemAt(id);
      const answer = await call(options, { ...given, headers, method: "PATCH", url, value });
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
