import type { JsonSchema } from "../json-schema/sub-schemas.ts";
import { type OperationName, type Operations, operationNames } from "../operation/operations.ts";
import type { Group } from "../routing/group.ts";
import type { FormName } from "../routing/path-form.ts";
import type { Resource } from "../routing/resource.ts";
import { type OperationDescription, schemasOf } from "../schema/operation.ts";
import type { StandardSchema } from "../schema/standard-schema.ts";
import { Components } from "./components.ts";
import { type OperationObject, operationObject, type ToJsonSchema } from "./operation-object.ts";
import { problemSchema } from "./problem-schema.ts";

export interface OpenApiOptions {
  readonly title: string;
  readonly version: string;
  readonly description?: string;
  /** Base URLs. @default the document's location */
  readonly servers?: readonly string[];
  /** Security scheme objects by name. @default none */
  readonly securitySchemes?: Readonly<Record<string, object>>;
  /** What operations need that do not say it themselves. @default nothing */
  readonly security?: OperationDescription["security"];
  /** What the tags of operations mean, in the order to show them. @default none */
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
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
  readonly tags?: OpenApiOptions["tags"];
  readonly security?: OperationDescription["security"];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly securitySchemes?: OpenApiOptions["securitySchemes"];
  };
}

type PathItem = Readonly<Record<string, OperationObject | readonly object[]>>;

/**
 * Describes resources as an OpenAPI 3.1 document, ready to be sent. Operations made by `operation` are described by
 * their schemas, others by the convention.
 * @throws Error a schema cannot be converted to JSON Schema, an operation id is given twice, or a security scheme is
 *   not in `securitySchemes`
 * @throws TypeError a query cannot have the form of its schema
 */
export function openApiDocument(
  members: readonly (Resource | Group)[],
  options: OpenApiOptions,
): OpenApiDocument {
  const { title, version, description, servers, tags, security, securitySchemes } = options;
  const components = new Components({ Problem: problemSchema });
  const ids = new Set<string>();
  const toJsonSchema = options.toJsonSchema ?? standardJsonSchema;
  const paths = resourcesOf(members, "/").flatMap(([prefix, resource]) =>
    pathsOf(prefix, resource, (id, name, described) => {
      requireSchemes(described.security, options);
      const operationId = takeId(ids, id, described.operationId);
      const own = { id: operationId, name, tag: resource.name, schemas: described };
      return operationObject(own, toJsonSchema, components);
    }),
  );
  requireSchemes(security, options);
  return {
    openapi: "3.1.1",
    info: { title, version, ...(description !== undefined && { description }) },
    ...(servers !== undefined && { servers: servers.map((url) => ({ url })) }),
    ...(tags !== undefined && { tags }),
    ...(security !== undefined && { security }),
    paths: Object.fromEntries(paths),
    components: {
      schemas: components.schemas,
      ...(securitySchemes !== undefined && { securitySchemes }),
    },
  };
}

/** @throws Error the given id is taken */
function takeId(ids: Set<string>, byPath: string, given: string | undefined): string {
  if (given !== undefined && ids.has(given))
    throw new Error(`The operation id '${given}' is given twice.`);
  let id = given ?? byPath;
  for (let count = 2; ids.has(id); count += 1) id = byPath + count;
  ids.add(id);
  return id;
}

function requireSchemes(
  security: OperationDescription["security"] = [],
  { securitySchemes = {} }: OpenApiOptions,
): void {
  for (const name of security.flatMap(Object.keys))
    if (!Object.hasOwn(securitySchemes, name))
      throw new Error(`'securitySchemes' does not describe '${name}'.`);
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

function pathsOf(
  prefix: string,
  resource: Resource,
  describe: (
    id: string,
    name: RoutedName,
    schemas: ReturnType<typeof schemasOf>,
  ) => OperationObject,
): readonly (readonly [path: string, item: PathItem])[] {
  const collection = prefix + resource.name;
  const base = collection.slice(1).replaceAll(/[{}]/g, "").replaceAll("/", ".");
  const forms: readonly (readonly [FormName, string, readonly string[]])[] = [
    ["collection", collection, resource.template.params],
    ["item", `${collection}/{id}`, [...resource.template.params, "id"]],
  ];
  return forms.flatMap(([form, path, params]) => {
    const operations = operationsOf(form, resource.operations).map(([method, name]) => [
      method,
      describe(`${base}.${name}`, name, schemasOf(resource.operations[name])),
    ]);
    if (operations.length === 0) return [];
    const parameters = params.map((name) => ({
      ...{ name, in: "path", required: true, schema: { type: "string" } },
    }));
    return [
      [path, { ...(parameters.length > 0 && { parameters }), ...Object.fromEntries(operations) }],
    ];
  });
}

type RoutedName = Exclude<OperationName, "options">;

/** The implemented operations, each with its method as OpenAPI spells it. */
function operationsOf(
  form: FormName,
  operations: Operations,
): readonly (readonly [method: string, name: RoutedName])[] {
  return Object.entries(operationNames[form]).flatMap(([method, name]) =>
    name !== "options" && operations[name] !== undefined
      ? [[method.toLowerCase(), name] as const]
      : [],
  );
}

const standardJsonSchema: ToJsonSchema = (schema, io) => {
  const { vendor, jsonSchema } = schema["~standard"];
  if (jsonSchema === undefined)
    throw new Error(
      `A schema of '${vendor}' cannot be converted to JSON Schema. Set 'toJsonSchema'.`,
    );
  return jsonSchema[io]({ target: "draft-2020-12" });
};
