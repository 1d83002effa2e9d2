import type { BodyContext, Context, ItemContext, OptionsContext, Params } from "./context.ts";

/**
 * What a resource may implement. An operation returns a value, which is sent as JSON, a `Reply`, a `Problem`, a stream
 * or a web `Response`, or a promise of one of these; errors it throws are answered too. `undefined` is answered 204.
 * From `find`, `undefined` and `null` are answered 404.
 */
export interface Operations<P extends Params = Params> {
  /** GET of the collection. */
  index?(context: Context<P>): unknown;
  /** GET of an item. */
  find?(context: ItemContext<P>): unknown;
  /** POST to the collection. */
  create?(context: BodyContext<P>): unknown;
  /** PUT of an item. */
  update?(context: ItemContext<P> & BodyContext<P>): unknown;
  /** PATCH of an item (RFC 5789). Without it, PATCH is left to the ordinary handlers. */
  patch?(context: ItemContext<P> & BodyContext<P>): unknown;
  /** DELETE of an item. */
  delete?(context: ItemContext<P>): unknown;
  /** OPTIONS of the collection or an item. @default 204 with `Allow` */
  options?(context: OptionsContext<P>): unknown;
}

export type OperationName = keyof Operations;

/** The operation of each method, by the form of the path. */
export const operationNames: Readonly<
  Record<"collection" | "item", Readonly<Record<string, OperationName>>>
> = {
  collection: { GET: "index", POST: "create", OPTIONS: "options" },
  item: { GET: "find", PUT: "update", PATCH: "patch", DELETE: "delete", OPTIONS: "options" },
};

const convention: ReadonlySet<string> = new Set([
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "DELETE",
  "OPTIONS",
]);

/** Whether the convention covers a method. HEAD belongs to GET; PATCH is our addition. */
export function isOfConvention(method: string): boolean {
  return convention.has(method);
}
