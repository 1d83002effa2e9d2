import { countElements } from "../facts/object-facts.ts";
import { isJsonObject } from "../json/json-object.ts";
import { JsonScanner } from "../json/json-scanner.ts";
import type { RequestBody } from "./request-body.ts";

/** A longer system prompt is not read. */
const maxPrompt = 1024 * 1024;

/** What tells the requests of one agent from another's, in any API's form. */
export interface RequestOutline {
  readonly hasTools: boolean;
  /** The system prompt: the member for it, and the messages that begin the history. */
  readonly system: string;
}

/** Reads the outline of a body that routing has read, so its structure is known to be sound. */
export function outlineRequest(body: RequestBody): RequestOutline {
  const scanner = new JsonScanner(body.bytes);
  let hasTools = false;
  const system: string[] = [];
  for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
    if (scanner.at === body.messages_start) {
      system.push(...leadingPrompts(body.bytes.subarray(body.messages_start, body.messages_end)));
      scanner.at = body.messages_end;
    } else if (scanner.keyEquals("tools")) hasTools = isFilled(scanner);
    else if (scanner.keyEquals("system") || scanner.keyEquals("instructions"))
      system.push(textOf(readValue(scanner)));
    else scanner.skipValue();
  }
  return { hasTools, system: system.join("\n") };
}

/** The texts of system and developer messages, up to the first message with another role. */
function* leadingPrompts(history: Buffer): Generator<string> {
  const scanner = new JsonScanner(history);
  if (scanner.kind !== "array") return;
  for (let more = scanner.enterArray(); more; more = scanner.nextElement()) {
    const message = readValue(scanner);
    if (!isJsonObject(message) || !["system", "developer"].includes(String(message.role))) return;
    yield textOf(message.content);
  }
}

function isFilled(scanner: JsonScanner): boolean {
  if (scanner.kind === "array") return countElements(scanner) > 0;
  scanner.skipValue();
  return false;
}

/** The value that is due; null if it is too long or JSON.parse refuses it. */
function readValue(scanner: JsonScanner): unknown {
  const { at, bytes } = scanner;
  scanner.skipValue();
  if (scanner.at - at > maxPrompt) return null;
  try {
    return JSON.parse(bytes.toString("utf8", at, scanner.at));
  } catch {
    return null;
  }
}

/** The text of a string, or of parts that contain texts. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const texts = content.map((part: unknown) => (isJsonObject(part) ? part.text : part));
  return texts.filter((text) => typeof text === "string").join("\n");
}
