import { isJsonObject } from "../json/json-object.ts";

/** Members whose value is a tool's or a caller's own. */
const theirs: ReadonlySet<string> = new Set([
  ...["args", "response", "parameters", "parametersJsonSchema"],
  ...["responseSchema", "responseJsonSchema", "labels"],
]);
/** The one member that engines have. */
const engines = "chat_template_kwargs";
/** A request's deepest member is the data in a part of a tool's result. */
const maxDepth = 8;

/** A value of Google's API in the spelling of its documents: its services take `snake_case` as well. */
export function camelMembers(value: unknown, depth: number = maxDepth): unknown {
  if (depth === 0) return value;
  if (Array.isArray(value)) return value.map((element) => camelMembers(element, depth - 1));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([given, member]) => {
    if (given === engines) return [given, member];
    const name = given.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    return [name, theirs.has(name) ? member : camelMembers(member, depth - 1)];
  });
  return Object.fromEntries(members);
}
