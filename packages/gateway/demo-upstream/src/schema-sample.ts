import { isJsonObject, type JsonObject, objectOf } from "@proj/model-apis/json";

/** Limits for schemas that contain themselves, or are simply huge. */
const maxDepth = 8;
const maxNodes = 500;

/**
 * A small value that fits a JSON schema: only required properties, if the schema lists them. `pattern`,
 * `not`, `if` and the like are ignored.
 * @param hint the value of strings that the schema leaves free
 * @param ordinal the value of numbers that the schema leaves free
 */
export function sampleSchema(schema: unknown, hint: string, ordinal: number): unknown {
  let nodes = 0;

  const sample = (given: unknown, depth: number): unknown => {
    const node = resolve(schema, given);
    if ("const" in node) return node.const;
    if (Array.isArray(node.enum) && node.enum.length > 0) return node.enum[0];
    if ("default" in node) return node.default;
    const spent = depth >= maxDepth || ++nodes > maxNodes;
    switch (typeOf(node)) {
      case "object":
        return sampleObject(node, depth, spent);
      case "array": {
        const length = Math.min(Number(node.minItems ?? (spent ? 0 : 1)) || 0, maxNodes);
        return Array.from({ length }, () => (spent ? null : sample(node.items, depth + 1)));
      }
      case "integer":
      case "number":
        return sampleNumber(node, ordinal);
      case "boolean":
        return true;
      case "null":
        return null;
      default:
        return sampleString(node, hint);
    }
  };

  const sampleObject = (node: JsonObject, depth: number, spent: boolean): JsonObject => {
    const properties = objectOf(node.properties);
    const required: unknown[] = Array.isArray(node.required) ? node.required : [];
    const names = required.length > 0 ? required.filter((name) => typeof name === "string") : null;
    const wanted = names ?? (spent ? [] : Object.keys(properties));
    return Object.fromEntries(
      wanted.map((name) => [name, spent ? null : sample(properties[name], depth + 1)]),
    );
  };

  return sample(schema, 0);
}

/** Follows references within the document and takes the first alternative of a choice. */
function resolve(root: unknown, schema: unknown): JsonObject {
  let node: JsonObject = objectOf(schema);
  for (let hops = 0; hops < maxDepth; hops++) {
    const alternatives = node.anyOf ?? node.oneOf ?? node.allOf;
    if (typeof node.$ref === "string") {
      node = lookUp(root, node.$ref);
    } else if (Array.isArray(alternatives) && isJsonObject(alternatives[0])) {
      const { anyOf: _any, oneOf: _one, allOf: _all, ...rest } = node;
      node = { ...rest, ...alternatives[0] };
    } else {
      break;
    }
  }
  return node;
}

function lookUp(root: unknown, reference: string): JsonObject {
  let node: unknown = root;
  for (const part of reference.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    node = isJsonObject(node) ? node[key] : undefined;
  }
  return objectOf(node);
}

function typeOf(node: JsonObject): unknown {
  const { type } = node;
  if (Array.isArray(type)) return type.find((name) => name !== "null") ?? "null";
  if (type !== undefined) return type;
  if ("properties" in node) return "object";
  return "items" in node ? "array" : "string";
}

function sampleNumber(node: JsonObject, ordinal: number): number {
  const bound = (name: string, fallback: number): number =>
    typeof node[name] === "number" ? node[name] : fallback;
  const least = Math.max(bound("minimum", -Infinity), bound("exclusiveMinimum", -Infinity) + 1);
  const most = Math.min(bound("maximum", Infinity), bound("exclusiveMaximum", Infinity) - 1);
  const step = bound("multipleOf", 1);
  return Math.min(most, Math.max(least, Math.ceil(ordinal / step) * step));
}

const formats: Readonly<Record<string, string>> = {
  "date-time": "2026-01-01T00:00:00Z",
  date: "2026-01-01",
  time: "00:00:00Z",
  email: "demo@example.com",
  uri: "https://example.com/",
  uuid: "00000000-0000-4000-8000-000000000000",
};

function sampleString(node: JsonObject, hint: string): string {
  const fixed = typeof node.format === "string" ? formats[node.format] : undefined;
  if (fixed !== undefined) return fixed;
  const least = typeof node.minLength === "number" ? node.minLength : 0;
  const most = typeof node.maxLength === "number" ? node.maxLength : 200;
  return hint.padEnd(Math.min(least, 10_000), ".").slice(0, Math.max(least, most));
}
