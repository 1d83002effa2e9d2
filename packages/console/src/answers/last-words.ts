import { formOf, isJsonObject, type UtterancePart } from "@proj/sequences/conversation";
import type { StoredRow } from "@proj/session-store";

const mostCharacters = 240;

/** The end of a step in one line: text, a tool call, or why it failed. */
export function lastWords({ response, status_code, meta_json }: StoredRow): string {
  const meta = parsed(meta_json);
  const answer = parsed(response ?? "null");
  if (status_code !== 200) return oneLine(errorOf(meta, answer));
  const said = formOf(meta.endpoint).answersOf(answer) ?? [];
  return oneLine(said.flatMap(({ parts }) => parts.map(wordsOf)).findLast((words) => words) ?? "");
}

function wordsOf(part: UtterancePart): string {
  if (part.kind === "tool_call") return `${part.name}(${part.arguments})`;
  return part.kind === "text" || part.kind === "refusal" ? part.text : "";
}

function errorOf(meta: JsonObject, { error }: JsonObject): string {
  const said = [meta.error, isJsonObject(error) ? error.message : error, meta.outcome];
  return said.find((text) => typeof text === "string" && text !== "")?.toString() ?? "";
}

type JsonObject = Readonly<Record<string, unknown>>;

function parsed(json: string): JsonObject {
  try {
    const value: unknown = JSON.parse(json);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

const oneLine = (text: string): string =>
  text
    .slice(0, 4 * mostCharacters)
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, mostCharacters);
