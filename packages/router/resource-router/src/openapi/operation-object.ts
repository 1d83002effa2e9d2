import { problemType } from "../answer/problem-document.ts";
import { jsonType } from "../answer/to-answer.ts";
import { joined, queryForm } from "../json-schema/query-form.ts";
import { References } from "../json-schema/references.ts";
import type { JsonSchema } from "../json-schema/sub-schemas.ts";
import type { OperationName } from "../operation/operations.ts";
import type { OperationDescription, OperationSchemas } from "../schema/operation.ts";
import type { StandardSchema } from "../schema/standard-schema.ts";
import type { Components, Use } from "./components.ts";

export interface OperationObject extends OperationDescription {
  readonly operationId: string;
  readonly tags: readonly string[];
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

export type ToJsonSchema = (schema: StandardSchema, io: "input" | "output") => JsonSchema;

type Part = "query" | "body" | "result";

/**
 * @param components get the definitions of the schemas
 * @throws Error a schema cannot be converted
 */
export function operationObject(
  { id, name, tag, schemas }: Described,
  toJsonSchema: ToJsonSchema,
  components: Components,
): OperationObject {
  const { query, body, result: _, operationId: _id, ...description } = schemas;
  const use = (schema: StandardSchema, part: Part): Use => {
    const io = part === "result" ? "output" : "input";
    return { references: new References(toJsonSchema(schema, io)), name: `${id}.${part}`, io };
  };
  const converted = <Made>(part: Part, make: (use: Use) => Made): Made | undefined => {
    const schema = schemas[part];
    if (schema === undefined) return undefined;
    try {
      return make(use(schema, part));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(`The ${part} of '${id}': ${why}`, { cause: error });
    }
  };
  const whole = (part: Part): JsonSchema | undefined =>
    converted(part, (used) => components.whole(used));
  const parameters = converted("query", (used) => queryParameters(used, components)) ?? [];
  const hasBody = name === "create" || name === "update" || name === "patch";
  return {
    operationId: id,
    tags: [tag],
    ...description,
    ...(parameters.length > 0 && { parameters }),
    ...(hasBody && {
      requestBody: { required: true, content: { [jsonType]: { schema: whole("body") ?? {} } } },
    }),
    responses: responsesOf(name, whole("result"), (query ?? body) !== undefined),
  };
}

/** Each property of a query's schema is a parameter; those without fixed names are one together. */
function queryParameters(use: Use, components: Components): readonly object[] {
  const { named, others } = queryForm(use.references);
  const listed = [...named].map(([name, { schema, isRequired }]) => ({
    ...{ name, in: "query", required: isRequired, schema: components.part(schema, use) },
  }));
  if (others.length === 0) return listed;
  const schema = components.part(joined(others, "anyOf"), use);
  // Written without its own name, as one parameter for each member.
  return [...listed, { name: "parameters", in: "query", style: "form", explode: true, schema }];
}

function responsesOf(
  name: Described["name"],
  result: JsonSchema | undefined,
  isValidated: boolean,
): Record<string, object> {
  const content = result === undefined ? {} : { content: { [jsonType]: { schema: result } } };
  const location = { description: "The item's URL.", schema: { type: "string" } };
  const success: Readonly<Record<Described["name"], () => Record<string, object>>> = {
    index: () => ({ 200: { description: "The collection.", ...content } }),
    find: () => ({
      200: { description: "The item.", ...content },
      404: problem("No such item."),
    }),
    create: () => ({
      201: { description: "Created.", headers: { Location: location }, ...content },
    }),
    update: () => changed("Updated.", content),
    patch: () => changed("Patched.", content),
    delete: () => changed("Deleted.", content),
  };
  return {
    ...success[name](),
    ...(isValidated && { 422: problem("What is not valid, and where.") }),
    default: problem("Any other error."),
  };
}

function changed(description: string, content: object): Record<string, object> {
  return "content" in content ? { 200: { description, ...content } } : { 204: { description } };
}

function problem(description: string): object {
  const schema = { $ref: "#/components/schemas/Problem" };
  return { description, content: { [problemType]: { schema } } };
}
