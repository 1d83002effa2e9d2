import type { Context, FullContext } from "../operation/context.ts";
import { queryValidation } from "./query.ts";
import type { OutputOf, StandardSchema } from "./standard-schema.ts";
import { requireValid } from "./validate.ts";

/**
 * The input and output of an operation, and what OpenAPI says of it. Schemas may come from any library that implements
 * Standard Schema.
 */
export interface OperationSchemas extends OperationDescription {
  /** The query: an object of strings, numbers, booleans and lists of them; numbers and booleans need a JSON Schema. */
  readonly query?: StandardSchema;
  /** The body, which must be JSON. */
  readonly body?: StandardSchema;
  /** The result, for clients and OpenAPI. It is not checked. */
  readonly result?: StandardSchema;
}

/** What OpenAPI says of an operation. */
export interface OperationDescription {
  /** A few words. */
  readonly summary?: string;
  /** CommonMark. */
  readonly description?: string;
  /** Unique in the document. @default the path and the operation, such as `snips.index` */
  readonly operationId?: string;
  /** @default the resource's path */
  readonly tags?: readonly string[];
  /** Alternatives, each by security schemes with their scopes; an empty list: none is needed. @default the document's */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  /** @default false */
  readonly deprecated?: boolean;
}

/** The schemas' output for a request. */
export interface OperationInput<S extends OperationSchemas> {
  readonly query: OutputOf<S["query"]>;
  readonly body: OutputOf<S["body"]>;
}

/** An operation with its schemas. */
export interface SchemaOperation<C, S extends OperationSchemas, R> {
  (context: C): Promise<Awaited<R>>;
  readonly schemas: S;
}

/**
 * An operation whose query and body are validated before it runs. Invalid input is answered 422 with `errors`, a body
 * that is not JSON 400 or 415. The schemas' output is `input` in the context.
 * @throws TypeError a query cannot have the form of its schema
 */
export function operation<C extends Context, const S extends OperationSchemas, R>(
  schemas: S,
  run: (context: C & { readonly input: OperationInput<S> }) => R,
): SchemaOperation<C, S, R> {
  const { query, body }: OperationSchemas = schemas;
  const readQuery = query === undefined ? null : queryValidation(query);
  const readInput = async (
    context: Context & Partial<Pick<FullContext, "body">>,
  ): Promise<OperationInput<OperationSchemas>> => ({
    query: readQuery === null ? undefined : requireValid(await readQuery(context.query), "query"),
    body:
      body === undefined
        ? undefined
        : requireValid(await body["~standard"].validate(await context.body?.json()), "body"),
  });
  const validated = async (context: C): Promise<Awaited<R>> => {
    const input = (await readInput(context)) as OperationInput<S>;
    // The same object, so that values set by hooks are found.
    return await run(Object.assign(context, { input }));
  };
  return Object.assign(validated, { schemas });
}

/** The schemas of an operation, if it has any. */
export function schemasOf(operation: unknown): OperationSchemas {
  return typeof operation === "function" && "schemas" in operation
    ? (operation.schemas as OperationSchemas)
    : {};
}
