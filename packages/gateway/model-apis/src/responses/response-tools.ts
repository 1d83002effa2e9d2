import { readString } from "../facts/object-facts.ts";
import { tokenCount } from "../facts/token-counts.ts";
import { isJsonObject, type JsonObject } from "../json/json-object.ts";
import type { JsonScanner } from "../json/json-scanner.ts";

/** Calls of the upstream's own tools, by the tool's name. */
export type ToolCounts = Record<string, number>;

/** The items of calls that OpenAI bills. Other calls are the caller's to run. */
const billedItems: ReadonlyMap<string | null, string> = new Map([
  ["web_search_call", "web_search"],
  ["file_search_call", "file_search"],
  ["code_interpreter_call", "code_interpreter"],
  ["image_generation_call", "image_generation"],
]);

/**
 * Counts the billed calls in the output array that is due. A container that runs code is billed once, however often
 * it is used.
 * @returns how many items the output has
 */
export function countItems(scanner: JsonScanner, tools: ToolCounts): number {
  const containers = new Set<string>();
  let items = 0;
  for (let more = scanner.enterArray(); more; more = scanner.nextElement()) {
    items += 1;
    const { type, container_id } = scanner.kind === "object" ? readItem(scanner) : skip(scanner);
    const tool = billedItems.get(type);
    if (tool === undefined) continue;
    if (container_id === null || !containers.has(container_id))
      tools[tool] = (tools[tool] ?? 0) + 1;
    if (container_id !== null) containers.add(container_id);
  }
  return items;
}

interface Item {
  readonly type: string | null;
  readonly container_id: string | null;
}

function readItem(scanner: JsonScanner): Item {
  let type: string | null = null;
  let container_id: string | null = null;
  for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
    if (scanner.keyEquals("type")) type = readString(scanner);
    else if (scanner.keyEquals("container_id")) container_id = readString(scanner);
    else scanner.skipValue();
  }
  return { type, container_id };
}

function skip(scanner: JsonScanner): Item {
  scanner.skipValue();
  return { type: null, container_id: null };
}

/** OpenAI's own count of billed searches: one call may search several times, or for free. */
export function countReported(toolUsage: JsonObject | null, tools: ToolCounts): void {
  const searches = toolUsage?.web_search;
  const requests = isJsonObject(searches) ? tokenCount(searches.num_requests) : null;
  if (requests === null) return;
  delete tools.web_search;
  if (requests > 0) tools.web_search = requests;
}
