import type { Call } from "../calls/sender.ts";
import { dataOf, objectsOf } from "../reading/answer-fields.ts";
import type { JsonObject } from "../reading/json-objects.ts";
import type { InstrumentEntry, UpdateSubscriptionsRequest } from "../wire/index.ts";

export const instrumentsCall: Call<readonly InstrumentEntry[]> = {
  method: "GET",
  path: "/trading/get_instruments",
  isIdempotent: true,
  read: (answer) => objectsOf(dataOf(answer), "instrument").map(readInstrument),
};

export function updateSubscriptionsCall({
  symbol,
  visible,
}: UpdateSubscriptionsRequest): Call<void> {
  return {
    method: "POST",
    path: "/trading/update_subscriptions",
    fields: { symbol, visible },
    isIdempotent: true,
    read: () => undefined,
  };
}

function readInstrument({ symbol, visible, order }: JsonObject): InstrumentEntry {
  if (typeof symbol === "string" && typeof visible === "boolean" && typeof order === "number") {
    return { symbol, visible, order };
  }
  throw new TypeError("an instrument has no symbol, visible or order");
}
