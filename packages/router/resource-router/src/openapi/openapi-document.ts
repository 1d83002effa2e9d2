import type { OperationName, Operations } from "../operation/operations.ts";
import { operationNames } from "../operation/operations.ts";
import type { Group } from "../routing/group.ts";
import type { FormName } from "../routing/path-form.ts";
import type { Resource } from "../routing/resource.ts";
import { schemasOf } from "../schema/operation.ts";
import type { JsonSchema, StandardSchema } from "../schema/standard-schema.ts";
import { type OperationObject, operationObject } from "./operation-object.ts";
import { problemSchema } from "./problem-schema.ts";

export interface OpenApiOptions {
  readonly title: string;
  readonly version: string;
  readonly description?: string;
  /** Base URLs. @default the document's location */
  readonly servers?: readonly string[];
  /**
   * Converts a schema to JSON Schema (2020-12) if its library cannot do so itself.
   * @default the library's Standard JSON Schema
   */
  readonly toJsonSchema?: (schema: StandardSchema, io: "input" | "output") => JsonSchema;
}

export interface OpenApiDocument {
  readonly openapi: "3.1.1";
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description?: string;
  };
  readonly servers?: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

type PathItem = Readonly<Record<string, OperationObject | readonly object[]>>;

/**
 * Describes resources as an OpenAPI 3.1 document, ready to be sent. Operations made by `operation` are described by
 * their schemas, others by the convention.
 * @throws Error a schema cannot be converted to JSON Schema
 */
export function openApiDocument(
  members: readonly (Resource | Group)[],
  options: OpenApiOptions,
): OpenApiDocument {
  const { title, version, description, servers } = options;
  const paths = resourcesOf(members, "/").flatMap(([prefix, resource]) =>
    pathsOf(prefix, resource, options.toJsonSchema ?? standardJsonSchema),
  );
  return {
    openapi: "3.1.1",
    info: { title, version, ...(description !== undefined && { description }) },
    ...(servers !== undefined && { servers: servers.map((url) => ({ url })) }),
    paths: Object.fromEntries(paths),
    components: { schemas: { Problem: problemSchema } },
  };
}

function resourcesOf(
  members: readonly (Resource | Group)[],
  prefix: string,
): readonly (readonly [prefix: string, resource: Resource])[] {
  return members.flatMap((member) =>
    "prefix" in member
      ? resourcesOf(member.members, `${prefix}${member.prefix.join("/")}/`)
      : [[prefix, member] as const],
  );
}

type ToJsonSchema = NonNullable<OpenApiOptions["toJsonSchema"]>;

function pathsOf(
  prefix: string,
  resource: Resource,
  toJsonSchema: ToJsonSchema,
): readonly (readonly [path: string, item: PathItem])[] {
  const collection = prefix + resource.name;
  const forms: readonly (readonly [FormName, string, readonly string[]])[] = [
    ["collection", collection, resource.template.params],
    ["item", `${collection}/{id}`, [...resource.template.params, "id"]],
  ];
  return forms.flatMap(([form, path, params]) => {
    const operations = operationsOf(form, resource.operations).map(([method, name]) => {
      const id = `${(prefix.slice(1) + resource.name).replaceAll(/[{}]/g, "").replaceAll("/", ".")}.${name}`;
      const schemas = schemasOf(resource.operations[name]);
      return [method, operationObject({ id, name, tag: resource.name, schemas }, toJsonSchema)];
    });
    if (operations.length === 0) return [];
    const parameters = params.map((name) => ({
      ...{ name, in: "path", required: true, schema: { type: "string" } },
    }));
    return [
      [path, { ...(parameters.length > 0 && { parameters }), ...Object.fromEntries(operations) }],
    ];
  });
}

/** The implemented operations, each with its method as OpenAPI spells it. */
function operationsOf(
  form: FormName,
  operations: Operations,
): readonly (readonly [method: string, name: Exclude<OperationName, "options">])[] {
  return Object.entries(operationNames[form]).flatMap(([method, name]) =>
    name !== "options" && operations[name] !== undefined
      ? [[method.toLowerCase(), name] as const]
      : [],
  );
}

function standardJsonSchema(schema: StandardSchema, io: "input" | "output"): JsonSchema {
  const { vendor, jsonSchema } = schema["~standard"];
  if (jsonSchema === undefined)
    throw new Error(
      `A schema of '${vendor}' cannot be converted to JSON Schema. Set 'toJsonSchema'.`,
    );
  const { $schema: _, ...made } = jsonSchema[io]({ target: "draft-2020-12" });
  return made;
}
