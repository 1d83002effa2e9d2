import type { StoredEvent } from "../ledger/ledger-reader.ts";
import type { Accounts } from "./accounts.ts";
import type { Activity } from "./activity.ts";
import type { PoolAccrual } from "./pool-accrual.ts";

interface OwnedEvent {
  readonly event: StoredEvent;
  /** The number of its address. */
  readonly owner: number;
}

/** Applies events that come in the order of their times. */
export async function applyEvents(
  pool: PoolAccrual,
  batches: AsyncIterable<readonly StoredEvent[]>,
  accounts: Accounts,
  into: Activity,
): Promise<void> {
  let sameTime: OwnedEvent[] = [];
  const applyAll = (): void => {
    for (const { event, owner } of sameTime.sort(byKindAndId)) {
      const { time, position, amount } = event;
      pool.apply(time, { position: position ?? "", owner, liquidity: BigInt(amount) }, into);
    }
    sameTime = [];
  };
  for await (const events of batches) {
    const owners = accounts.numbersOf(events);
    for (const [index, event] of events.entries()) {
      if (sameTime[0] !== undefined && sameTime[0].event.time !== event.time) applyAll();
      sameTime.push({ event, owner: owners[index] ?? 0 });
    }
  }
  applyAll();
}

/** The order of what is said of one second, whatever order it came in. */
function byKindAndId({ event: a }: OwnedEvent, { event: b }: OwnedEvent): number {
  if (a.kind !== b.kind) return a.kind - b.kind;
  return a.id < b.id ? -1 : 1;
}
