import { formOf } from "@proj/model-apis";
import { isJsonObject, parsedObject, type UtterancePart } from "@proj/model-apis/conversation";
import type { StoredRow } from "../store-browser.ts";

const maxCharacters = 240;

/** The end of a step in one line: text, a tool call, or why it failed. */
export function lastWords({ response, status_code, meta_json }: StoredRow): string {
  const meta = parsedObject(meta_json);
  const answer = parsedObject(response);
  if (status_code !== 200) return oneLine(errorOf(meta, answer) ?? String(meta.outcome ?? ""));
  const said = formOf(meta.endpoint).answersOf(answer) ?? [];
  return oneLine(said.flatMap(({ parts }) => parts.map(wordsOf)).findLast((words) => words) ?? "");
}

function wordsOf(part: UtterancePart): string {
  if (part.kind === "tool_call") return `${part.name}(${part.arguments})`;
  return part.kind === "text" || part.kind === "refusal" ? part.text : "";
}

/** What a failed step says about its failure: the gateway's words, or else the upstream's. Null: nothing. */
export const errorOfStep = ({ response, meta_json }: StoredRow): string | null =>
  errorOf(parsedObject(meta_json), parsedObject(response));

function errorOf(meta: JsonObject, { error }: JsonObject): string | null {
  const said = [meta.error, isJsonObject(error) ? error.message : error];
  return said.find((text): text is string => typeof text === "string" && text !== "") ?? null;
}

type JsonObject = Readonly<Record<string, unknown>>;

export const oneLine = (text: string): string =>
  text
    .slice(0, 4 * maxCharacters)
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, maxCharacters);
