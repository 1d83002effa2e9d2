import type { Context, FullContext } from "../operation/context.ts";
import type { OutputOf, StandardSchema } from "./standard-schema.ts";
import { queryValue, validate } from "./validate.ts";

/** The input and output of an operation. Schemas may come from any library that implements Standard Schema. */
export interface OperationSchemas {
  /** The query: strings by name, lists of strings for repeated names. */
  readonly query?: StandardSchema;
  /** The body, which must be JSON. */
  readonly body?: StandardSchema;
  /** The result, for clients and OpenAPI. It is not checked. */
  readonly result?: StandardSchema;
  /** A few words for OpenAPI. */
  readonly summary?: string;
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
 */
export function operation<C extends Context, const S extends OperationSchemas, R>(
  schemas: S,
  run: (context: C & { readonly input: OperationInput<S> }) => R,
): SchemaOperation<C, S, R> {
  const validated = async (context: C): Promise<Awaited<R>> => {
    const input = (await readInput(schemas, context)) as OperationInput<S>;
    // The same object, so that values set by hooks are found.
    return await run(Object.assign(context, { input }));
  };
  return Object.assign(validated, { schemas });
}

async function readInput(
  { query, body }: OperationSchemas,
  context: Context & Partial<Pick<FullContext, "body">>,
): Promise<OperationInput<OperationSchemas>> {
  return {
    query: query === undefined ? undefined : await readQuery(query, context),
    body: body === undefined ? undefined : await validate(body, await context.body?.json(), "body"),
  };
}

function readQuery(schema: StandardSchema, { query }: Context): Promise<unknown> {
  return validate(schema, queryValue(query), "query");
}

/** The schemas of an operation, if it has any. */
export function schemasOf(operation: unknown): OperationSchemas {
  return typeof operation === "function" && "schemas" in operation
    ? (operation.schemas as OperationSchemas)
    : {};
}
