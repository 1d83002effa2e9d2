import { isJsonObject, type JsonObject, listOf } from "../json/json-object.ts";

/** A function in a namespace, as the API names it. */
export interface NamespacedTool {
  readonly namespace: string;
  readonly name: string;
}

const joined = (namespace: string, name: string): string => `${namespace}__${name}`;

/** The names that a namespace's tools have for a model that knows functions alone. */
export function namespacedTools(tools: unknown): ReadonlyMap<string, NamespacedTool> {
  return new Map(
    listOf(tools).flatMap((tool) =>
      membersOf(tool).map(({ namespace, name }) => [joined(namespace, name), { namespace, name }]),
    ),
  );
}

/** A request with its namespaces' tools, and calls of them, as functions of their own. */
export function withoutNamespaces(request: JsonObject): JsonObject {
  const { tools, input, tool_choice } = request;
  return {
    ...request,
    ...(Array.isArray(tools) ? { tools: flatTools(tools) } : {}),
    ...(Array.isArray(input) ? { input: input.map(flatCall) } : {}),
    ...(isJsonObject(tool_choice) ? { tool_choice: flatCall(tool_choice) } : {}),
  };
}

/** Tools in which each of a namespace is one of its own. */
export const flatTools = (tools: unknown): readonly unknown[] =>
  listOf(tools).flatMap((tool) => {
    const members = membersOf(tool);
    if (members.length === 0) return [tool];
    return members.map(({ namespace, name, tool: inner }) => ({
      ...inner,
      name: joined(namespace, name),
    }));
  });

function flatCall(item: unknown): unknown {
  if (!isJsonObject(item)) return item;
  const { namespace, name, ...rest } = item;
  if (typeof namespace !== "string" || typeof name !== "string") return item;
  return { ...rest, name: joined(namespace, name) };
}

function membersOf(tool: unknown): readonly (NamespacedTool & { readonly tool: JsonObject })[] {
  if (!isJsonObject(tool) || tool.type !== "namespace" || typeof tool.name !== "string") return [];
  const { name: namespace } = tool;
  return listOf(tool.tools).flatMap((inner) =>
    isJsonObject(inner) && typeof inner.name === "string"
      ? [{ namespace, name: inner.name, tool: inner }]
      : [],
  );
}
