import { readString } from "../facts/object-facts.ts";
import type { ReadReference } from "./reference.ts";

/** Anthropic's `thread`: `{type: "create"}` or `{type: "continue", previous_message_id}`. */
export const byThread: ReadReference = (scanner) => {
  if (scanner.kind !== "object") {
    scanner.skipValue();
    return null;
  }
  let type: string | null = null;
  let previous: string | null = null;
  for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
    if (scanner.keyEquals("type")) type = readString(scanner);
    else if (scanner.keyEquals("previous_message_id")) previous = readString(scanner);
    else scanner.skipValue();
  }
  if (type === "create") return { by: "thread", id: null };
  return type === "continue" && previous !== null ? { by: "thread", id: previous } : null;
};
