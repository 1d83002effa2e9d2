import type { Unsupported } from "../conversation/read-members.ts";
import type { Utterance, UtterancePart } from "../conversation/utterance.ts";
import type { JsonObject } from "../json/json-object.ts";

/** The items of a message: its parts stay in order, and those that are content share a message item. */
export function writeInput({ role, parts }: Utterance, unsupported: Unsupported): JsonObject[] {
  const items: JsonObject[] = [];
  let content: JsonObject[] = [];
  const endContent = (): void => {
    if (content.length > 0) items.push({ type: "message", role, content });
    content = [];
  };
  for (const part of parts) {
    const written = writeContent(part, role);
    if (written !== null) {
      content.push(written);
      continue;
    }
    endContent();
    const item = writeItem(part, unsupported);
    if (item !== null) items.push(item);
  }
  endContent();
  return items;
}

/** Null: the part is not content of a message. */
function writeContent(part: UtterancePart, role: string): JsonObject | null {
  switch (part.kind) {
    case "text":
      return { type: role === "assistant" ? "output_text" : "input_text", text: part.text };
    case "refusal":
      return { type: "refusal", refusal: part.text };
    case "image":
      return { type: "input_image", image_url: part.url };
    default:
      return null;
  }
}

function writeItem(part: UtterancePart, unsupported: Unsupported): JsonObject | null {
  switch (part.kind) {
    case "tool_call": {
      const { call_id, name, arguments: given } = part;
      return { type: "function_call", call_id: call_id ?? "", name, arguments: given };
    }
    case "tool_result": {
      if (part.is_error) unsupported.add("messages[].is_error");
      const content: JsonObject[] = [];
      for (const inner of part.parts) {
        const written = writeContent(inner, "tool");
        if (written !== null) content.push(written);
        else if (inner.kind === "other") unsupported.add(`messages[].${inner.type}`);
      }
      const isText = content.length === 1 && content[0]?.type === "input_text";
      const output = isText ? content[0]?.text : content;
      return { type: "function_call_output", call_id: part.call_id ?? "", output };
    }
    case "reasoning":
      return { type: "reasoning", summary: [{ type: "summary_text", text: part.text }] };
    default:
      if (part.kind === "other") unsupported.add(`messages[].${part.type}`);
      return null;
  }
}
