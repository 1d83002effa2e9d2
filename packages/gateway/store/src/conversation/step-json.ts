import type { StoredStep } from "../store.ts";

/** A step as a JSON object, piece by piece. JSON columns become members, exactly as stored. */
export function* stepJson(step: StoredStep): Generator<string, void, undefined> {
  const { meta_json, request, response, messages, ...columns } = step;
  yield JSON.stringify(columns).slice(0, -1);
  for (const [name, json] of Object.entries({ meta_json, request, response, messages })) {
    yield `,"${name}":`;
    yield asJson(json);
  }
  yield "}";
}

/** The stored text as JSON within JSON. Text that is not JSON would spoil the document, so it becomes a string. */
export function asJson(text: string | null): string {
  if (text === null) return "null";
  return isJson(text) ? text : JSON.stringify(text);
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
