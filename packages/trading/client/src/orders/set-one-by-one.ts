import { RefusalError } from "../errors/refusal-error.ts";
import type { TableRow } from "../tables/table-row.ts";
import type { ChangeTradeStopLimitRequest, SetStopLimitRequest } from "../wire/index.ts";

/**
 * Sets a stop and a limit with one request each, and undoes the first if the second is refused.
 * @param before the trade as it is; undefined: there is no such trade, as the server will say
 */
export async function setOneByOne(
  { trade_id, stop, limit, is_in_pips = false, trailing_stop_step }: SetStopLimitRequest,
  before: TableRow<"OpenPosition"> | undefined,
  set: (change: ChangeTradeStopLimitRequest) => Promise<void>,
): Promise<void> {
  const step = trailing_stop_step ?? before?.stopMove ?? 0;
  const isStopKept = stop === undefined;
  const changesStop = !isStopKept || trailing_stop_step !== undefined;
  const rate = stop ?? before?.stop ?? 0;
  if (changesStop)
    await set({
      ...{ trade_id, is_stop: true, rate, trailing_stop_step: step },
      is_in_pips: is_in_pips && !isStopKept,
    });
  if (limit === undefined) return;
  try {
    await set({ trade_id, is_stop: false, rate: limit, is_in_pips });
  } catch (error) {
    if (error instanceof RefusalError && changesStop && before !== undefined) {
      const { stop: old, stopMove } = before;
      await set({ trade_id, is_stop: true, rate: old, trailing_stop_step: stopMove });
    }
    throw error;
  }
}
