import { isJsonObject, type JsonObject } from "../json/json-object.ts";

/**
 * The model that writes the message from this event on; null if the event does not say. At a `fallback` block,
 * the model that declined hands over to another, and the whole message is labelled with the last one, as it is
 * without `stream`.
 */
export function servingModel({ type, message, content_block: block }: JsonObject): string | null {
  if (type === "message_start") return modelOf(message);
  const handsOver =
    type === "content_block_start" && isJsonObject(block) && block.type === "fallback";
  return handsOver ? modelOf(block.to) : null;
}

function modelOf(source: unknown): string | null {
  return isJsonObject(source) && typeof source.model === "string" ? source.model : null;
}
