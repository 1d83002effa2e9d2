import type { PointsEvent } from "../events/event.ts";
import { eventKinds } from "./event-kind.ts";

/** A row of `events`, as the queries take it. */
export type EventRow = readonly [
  stream: number,
  time: number,
  sequence: number,
  seq: number,
  id: string,
  kind: number,
  address: string,
  position: string | null,
  amount: string,
];

/** Amounts, prices, domains and retractions reuse the columns of positions; see `EventsTable`. */
export function eventRow(event: PointsEvent, seq: number, stream: number): EventRow {
  const { type, id, time, sequence = 0 } = event;
  const [address, position, amount] = contentOf(event);
  return [stream, time, sequence, seq, id, eventKinds[type], address, position, amount];
}

function contentOf(event: PointsEvent): [address: string, position: string | null, amount: string] {
  switch (event.type) {
    case "swap":
      return event.usdValue === undefined
        ? [event.address, String(event.amountDecimals), event.amount]
        : [event.address, null, event.usdValue];
    case "price":
      return ["", String(event.priceDecimals), event.price];
    case "domain":
      return [event.address, event.domain, "0"];
    case "retract":
      return ["", event.target, "0"];
    default:
      return [event.address, event.position, event.liquidity ?? "0"];
  }
}
