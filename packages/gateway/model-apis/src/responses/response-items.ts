import type { UtterancePart } from "../conversation/utterance.ts";
import { isJsonObject, type JsonObject, listOf } from "../json/json-object.ts";
import { flatTools, namespacedTools } from "./namespaces.ts";

/** Writes the item of a part; null: the part has none. */
export type ItemWriter = (part: UtterancePart, index: number, status: string) => JsonObject | null;

/**
 * A writer of items in the forms that the request asks for: calls of custom tools, names in namespaces, reasoning that
 * comes back encrypted.
 * @param id of the answer, from which the ids of items are made
 */
export function itemWriter(id: string, { tools, include }: JsonObject): ItemWriter {
  const all = flatTools(tools).filter(isJsonObject);
  const customTools = new Set(all.filter(({ type }) => type === "custom").map(({ name }) => name));
  const namespaced = namespacedTools(tools);
  const isEncrypted = listOf(include).includes("reasoning.encrypted_content");
  return (part, index, status) => {
    const place = index === 0 ? "" : `_${index}`;
    const idOf = (prefix: string): string => `${prefix}_${id}${place}`;
    const content = writeContent(part);
    if (content !== null)
      return { id: idOf("msg"), type: "message", status, role: "assistant", content: [content] };
    if (part.kind === "reasoning") {
      const { text } = part;
      const encrypted_content = Buffer.from(text).toString("base64");
      return {
        ...{ id: idOf("rs"), type: "reasoning", summary: [] },
        content: [{ type: "reasoning_text", text }],
        ...(isEncrypted ? { encrypted_content } : {}),
      };
    }
    if (part.kind !== "tool_call") return null;
    const { call_id, name, arguments: given } = part;
    const named = namespaced.get(name) ?? { name };
    const called = { status, call_id: call_id ?? idOf("call"), ...named };
    return customTools.has(name)
      ? { id: idOf("ctc"), type: "custom_tool_call", ...called, input: customInput(given) }
      : { id: idOf("fc"), type: "function_call", ...called, arguments: given };
  };
}

/** Null: the part is not content of a message. */
export function writeContent(part: UtterancePart): JsonObject | null {
  if (part.kind === "refusal") return { type: "refusal", refusal: part.text };
  if (part.kind !== "text") return null;
  return { type: "output_text", text: part.text, annotations: [], logprobs: [] };
}

/** A custom tool is a function with one text for models that know functions alone. */
function customInput(text: string): string {
  try {
    const { input } = JSON.parse(text);
    return typeof input === "string" ? input : text;
  } catch {
    return text;
  }
}
