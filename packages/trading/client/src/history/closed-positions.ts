import type { CallOptions } from "../calls/call-options.ts";
import type { Caller } from "../calls/caller.ts";
import type { Call } from "../calls/sender.ts";
import { objectsOf } from "../reading/answer-fields.ts";
import type { TableRow } from "../tables/table-row.ts";
import { readRows } from "../tables/table-rows.ts";

type Closed = TableRow<"ClosedPosition">;

/** Which closed trades to read; of all accounts by default, and the newest if there are more than `num`. */
export interface ClosedPositionsQuery {
  readonly account_id?: string;
  /** When they were closed. @default any time */
  readonly from?: Instant;
  /** @default now */
  readonly to?: Instant;
  /** From 1 to 1000. @default 1000 */
  readonly num?: number;
  readonly close_order_id?: string;
  readonly client_tag?: string;
}

interface Instant {
  readonly epochMilliseconds: number;
}

/** Reads trades closed on any day, from a server that offers it. */
export function readClosedPositions(
  caller: Caller,
  { from, to, ...query }: ClosedPositionsQuery,
  options: CallOptions,
): Promise<readonly Closed[]> {
  const call: Call<readonly Closed[]> = {
    method: "GET",
    path: "/trading/closed_positions",
    fields: {
      ...query,
      ...(from === undefined ? {} : { from: from.epochMilliseconds / 1000 }),
      ...(to === undefined ? {} : { to: to.epochMilliseconds / 1000 }),
    },
    isIdempotent: true,
    read: (answer) => readRows("ClosedPosition", objectsOf(answer, "closed_positions")),
  };
  return caller.call(call, options);
}
