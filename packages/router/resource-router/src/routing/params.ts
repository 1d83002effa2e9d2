import type { Params } from "../operation/context.ts";
import type { Match } from "./route-table.ts";

const none: Params = Object.freeze({});

/** The ids of the parent items, by name. */
export function paramsOf({ form, above }: Match): Params {
  if (above.length === 0) return none;
  return Object.fromEntries(form.params.map((name, index) => [name, above[index] ?? ""]));
}
