import { etagOf } from "./fresh-reply.ts";

/** The body of an answer, and its version. */
export interface SharedJson {
  readonly body: Buffer;
  readonly version: string;
}

const known = new WeakMap<object, SharedJson>();

/** The JSON of a value that many answers share, serialised once: very many prices take long. */
export function sharedJson(value: object): SharedJson {
  const made = known.get(value);
  if (made !== undefined) return made;
  const body = Buffer.from(JSON.stringify(value));
  const json = { body, version: etagOf(body) };
  known.set(value, json);
  return json;
}
