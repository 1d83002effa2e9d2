import { parseJson } from "../json/exact-json.ts";
import { objectsOf } from "../json/json-object.ts";
import type { RequestBody } from "../requests/request-body.ts";

/** The id of an item that a request to the Responses API names instead of sending it; null: it names none. */
export function namedItem({ bytes, messages_start, messages_end }: RequestBody): string | null {
  if (messages_end === 0) return null;
  const input = bytes.subarray(messages_start, messages_end);
  if (!input.includes('"item_reference"')) return null;
  const named = objectsOf(parseJson(input.toString())).find(
    ({ type }) => type === "item_reference",
  );
  return named === undefined ? null : String(named.id);
}
