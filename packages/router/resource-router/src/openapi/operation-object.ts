import { problemType } from "../answer/problem-document.ts";
import { jsonType } from "../answer/to-answer.ts";
import type { OperationName } from "../operation/operations.ts";
import type { OperationSchemas } from "../schema/operation.ts";
import type { JsonSchema, StandardSchema } from "../schema/standard-schema.ts";

export interface OperationObject {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary?: string;
  readonly parameters?: readonly object[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, object>>;
}

interface Described {
  readonly id: string;
  readonly name: Exclude<OperationName, "options">;
  readonly tag: string;
  readonly schemas: OperationSchemas;
}

type ToJsonSchema = (schema: StandardSchema, io: "input" | "output") => JsonSchema;

export function operationObject(
  { id, name, tag, schemas }: Described,
  toJsonSchema: ToJsonSchema,
): OperationObject {
  const { query, body, summary } = schemas;
  const parameters = query === undefined ? [] : queryParameters(toJsonSchema(query, "input"));
  const hasBody = name === "create" || name === "update" || name === "patch";
  return {
    operationId: id,
    tags: [tag],
    ...(summary !== undefined && { summary }),
    ...(parameters.length > 0 && { parameters }),
    ...(hasBody && {
      requestBody: {
        required: true,
        content: { [jsonType]: { schema: body === undefined ? {} : toJsonSchema(body, "input") } },
      },
    }),
    responses: responsesOf(name, schemas, toJsonSchema),
  };
}

/** Each property of a query's schema is a parameter. */
function queryParameters({ properties, required }: JsonSchema): readonly object[] {
  const names = Array.isArray(required) ? required : [];
  return Object.entries(properties ?? {}).map(([name, schema]) => ({
    ...{ name, in: "query", required: names.includes(name), schema },
  }));
}

function responsesOf(
  name: Described["name"],
  { query, body, result }: OperationSchemas,
  toJsonSchema: ToJsonSchema,
): Record<string, object> {
  const content = (): object =>
    result === undefined
      ? {}
      : { content: { [jsonType]: { schema: toJsonSchema(result, "output") } } };
  const location = { description: "The item's URL.", schema: { type: "string" } };
  const success: Readonly<Record<Described["name"], () => Record<string, object>>> = {
    index: () => ({ 200: { description: "The collection.", ...content() } }),
    find: () => ({
      200: { description: "The item.", ...content() },
      404: problem("No such item."),
    }),
    create: () => ({
      201: { description: "Created.", headers: { Location: location }, ...content() },
    }),
    update: () => changed("Updated.", result, content),
    patch: () => changed("Patched.", result, content),
    delete: () => changed("Deleted.", result, content),
  };
  return {
    ...success[name](),
    ...((query ?? body) !== undefined && { 422: problem("What is not valid, and where.") }),
    default: problem("Any other error."),
  };
}

function changed(
  description: string,
  result: StandardSchema | undefined,
  content: () => object,
): Record<string, object> {
  return result === undefined ? { 204: { description } } : { 200: { description, ...content() } };
}

function problem(description: string): object {
  const schema = { $ref: "#/components/schemas/Problem" };
  return { description, content: { [problemType]: { schema } } };
}
