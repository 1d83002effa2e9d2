import type { BodyContext, Context, ItemContext, OptionsContext } from "../exchange/context.ts";

/**
 * What a resource may implement. An operation gives a value, which is sent as JSON, a `Reply`, a
 * `Problem`, a stream or a web `Response`, or a promise of one of these; what it throws is answered
 * too. `undefined` is answered 204, and 404 where it comes from `find`.
 */
export interface Operations {
  /** GET of the collection. */
  index?(context: Context): unknown;
  /** GET of an item. */
  find?(context: ItemContext): unknown;
  /** POST to the collection. */
  create?(context: BodyContext): unknown;
  /** PUT of an item. */
  update?(context: ItemContext & BodyContext): unknown;
  /** DELETE of an item. */
  delete?(context: ItemContext): unknown;
  /** OPTIONS of either. @default 204 with `Allow` */
  options?(context: OptionsContext): unknown;
}

export type OperationName = keyof Operations;

/** The convention: which operation a method asks for, by the form of the path. */
export const convention: Readonly<
  Record<"collection" | "item", Readonly<Record<string, OperationName>>>
> = {
  collection: { GET: "index", POST: "create", OPTIONS: "options" },
  item: { GET: "find", PUT: "update", DELETE: "delete", OPTIONS: "options" },
};

const methods: ReadonlySet<string> = new Set([
  ...Object.values(convention).flatMap((form) => Object.keys(form)),
  "HEAD",
]);

/** Whether the convention speaks of a method; HEAD belongs to GET. */
export function isOfConvention(method: string): boolean {
  return methods.has(method);
}
