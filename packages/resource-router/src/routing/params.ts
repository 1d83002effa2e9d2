import type { Params } from "../operation/context.ts";
import type { Match } from "./route-table.ts";

const none: Params = Object.freeze({});

/** The ids above an item or a collection, by their names. */
export function paramsOf({ form, above }: Match): Params {
  if (above.length === 0) return none;
  return Object.fromEntries(form.params.map((name, index) => [name, above[index] ?? ""]));
}
