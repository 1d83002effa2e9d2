import type { Context, FullContext } from "../operation/context.ts";
import type { OutputOf, StandardSchema } from "./standard-schema.ts";
import { queryValue, validate } from "./validate.ts";

/** What an operation takes and gives. Schemas are of any library that implements Standard Schema. */
export interface OperationSchemas {
  /** Of the query: texts by their names, lists of texts where a name comes more than once. */
  readonly query?: StandardSchema;
  /** Of the body, which is JSON. */
  readonly body?: StandardSchema;
  /** Of the value that is sent, for clients and OpenAPI. It is not checked. */
  readonly result?: StandardSchema;
  /** For OpenAPI, in a few words. */
  readonly summary?: string;
}

/** What the schemas made of a request. */
export interface OperationInput<S extends OperationSchemas> {
  readonly query: OutputOf<S["query"]>;
  readonly body: OutputOf<S["body"]>;
}

/** An operation that knows its schemas. */
export interface SchemaOperation<C, S extends OperationSchemas, R> {
  (context: C): Promise<Awaited<R>>;
  readonly schemas: S;
}

/**
 * An operation whose query and body are validated before it runs. What does not fit is answered 422 with
 * `errors`; a body that is not JSON 400 or 415. What the schemas make of them is `input` in the context.
 */
export function operation<C extends Context, const S extends OperationSchemas, R>(
  schemas: S,
  run: (context: C & { readonly input: OperationInput<S> }) => R,
): SchemaOperation<C, S, R> {
  const validated = async (context: C): Promise<Awaited<R>> => {
    const input = (await readInput(schemas, context)) as OperationInput<S>;
    // The same object, so that values which hooks have set for it are found.
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

/** The schemas of an operation that has any. */
export function schemasOf(operation: unknown): OperationSchemas {
  return typeof operation === "function" && "schemas" in operation
    ? (operation.schemas as OperationSchemas)
    : {};
}
