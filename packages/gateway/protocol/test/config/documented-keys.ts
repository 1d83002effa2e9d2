import { configSchema, type JsonSchema } from "../../src/index.ts";

/** Every key that a file may have, as written in the README: `llm_routes.<key>.base_url`. */
export function documentedKeys(
  schema: JsonSchema = configSchema,
  path: string = "",
): [string, JsonSchema][] {
  const prefix = path === "" ? "" : `${path}.`;
  const own = Object.entries(schema.properties ?? {}).flatMap(([key, value]) => {
    const below = documentedKeys(value, prefix + key);
    return below.length === 0 ? [[prefix + key, value] satisfies [string, JsonSchema]] : below;
  });
  const member = schema.additionalProperties;
  const named = typeof member === "object" && member.properties !== undefined;
  return named ? documentedKeys(member, `${prefix.slice(0, -1)}.<key>`) : own;
}
