import type { StoredEvent } from "../ledger/ledger-reader.ts";
import type { Accounts } from "./accounts.ts";
import type { Activity } from "./activity.ts";
import type { PoolAccrual } from "./pool-accrual.ts";

/** Applies events that come in the order of their times. */
export async function applyEvents(
  pool: PoolAccrual,
  batches: AsyncIterable<readonly StoredEvent[]>,
  accounts: Accounts,
  into: Activity,
): Promise<void> {
  let sameTime: StoredEvent[] = [];
  const applyAll = (): void => {
    for (const { time, position, address, amount } of sameTime.sort(byKindAndId)) {
      const owner = accounts.numberOf(address);
      pool.apply(time, { position: position ?? "", owner, liquidity: BigInt(amount) }, into);
    }
    sameTime = [];
  };
  for await (const events of batches) {
    for (const event of events) {
      if (sameTime[0] !== undefined && sameTime[0].time !== event.time) applyAll();
      sameTime.push(event);
    }
  }
  applyAll();
}

/** The order of what is said of one second, whatever order it came in. */
function byKindAndId(a: StoredEvent, b: StoredEvent): number {
  if (a.kind !== b.kind) return a.kind - b.kind;
  return a.id < b.id ? -1 : 1;
}
