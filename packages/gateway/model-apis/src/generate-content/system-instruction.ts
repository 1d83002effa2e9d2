import { isJsonObject, type JsonObject } from "../json/json-object.ts";

/** The system text, a content. Google's service takes members in either spelling. */
export function systemInstruction(request: JsonObject): JsonObject | null {
  const content = request.systemInstruction ?? request.system_instruction;
  if (typeof content === "string") return { parts: [{ text: content }] };
  return isJsonObject(content) ? content : null;
}
