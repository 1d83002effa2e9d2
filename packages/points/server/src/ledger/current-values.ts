import type { DomainEvent, PriceEvent } from "../events/event.ts";
import type { PointsRunner } from "../storage/source.ts";
import { eventKinds } from "./event-kind.ts";
import { ledgerQueries, type RetractedRow, type Version } from "./ledger-queries.ts";

/** Keeps the newest price of each token and domain of each address, in whatever order events arrive. */
export function putValue(runner: PointsRunner, event: PriceEvent | DomainEvent): Promise<void> {
  return event.type === "price" ? putPrice(runner, event) : putDomain(runner, event);
}

/** Recomputes a current value after one of its events was retracted. */
export async function restoreValue(runner: PointsRunner, retracted: RetractedRow): Promise<void> {
  if (retracted.kind === eventKinds.price) await restorePrice(runner, retracted);
  if (retracted.kind === eventKinds.domain) await restoreDomain(runner, retracted);
}

async function putPrice(runner: PointsRunner, event: PriceEvent): Promise<void> {
  const { token, price, priceDecimals: price_decimals } = event;
  const [current] = (await runner.run(ledgerQueries.findPrice, { token })).rows;
  if (!isNewer(event, current)) return;
  const values = { token, price, price_decimals, ...versionOf(event) };
  await runner.run(ledgerQueries.putPrice, values);
}

async function putDomain(runner: PointsRunner, event: DomainEvent): Promise<void> {
  const { address, domain } = event;
  const [current] = (await runner.run(ledgerQueries.findDomain, { address })).rows;
  if (!isNewer(event, current)) return;
  const values = { address, domain, name: domainName(domain), ...versionOf(event) };
  await runner.run(ledgerQueries.putDomain, values);
}

async function restorePrice(runner: PointsRunner, { stream }: RetractedRow): Promise<void> {
  const [{ key } = { key: "" }] = (await runner.run(ledgerQueries.findStreamKey, { id: stream }))
    .rows;
  const token = key.slice(key.indexOf("/") + 1);
  await runner.run(ledgerQueries.dropPrice, { token });
  const [newest] = (await runner.run(ledgerQueries.findNewest, { stream })).rows;
  if (newest === undefined) return;
  const { id: event_id, time, sequence, position, amount: price } = newest;
  const values = { token, price, price_decimals: Number(position), time, sequence, event_id };
  await runner.run(ledgerQueries.putPrice, values);
}

async function restoreDomain(
  runner: PointsRunner,
  { stream, address }: RetractedRow,
): Promise<void> {
  await runner.run(ledgerQueries.dropDomain, { address });
  const query = ledgerQueries.findNewestDomain;
  const [newest] = (await runner.run(query, { stream, address })).rows;
  if (newest === undefined) return;
  const { id: event_id, time, sequence, position } = newest;
  const domain = position ?? "";
  const values = { address, domain, name: domainName(domain), time, sequence, event_id };
  await runner.run(ledgerQueries.putDomain, values);
}

/** The name services take names for the same whatever the case of their letters. */
export const domainName = (domain: string): string => domain.toLowerCase();

const versionOf = ({ time, sequence = 0, id: event_id }: PriceEvent | DomainEvent): Version => ({
  ...{ time, sequence, event_id },
});

/** Of several events in the same second, the last in sequence counts, then the one with the largest id. */
function isNewer(event: PriceEvent | DomainEvent, current: Version | undefined): boolean {
  if (current === undefined) return true;
  const { time, sequence, event_id } = versionOf(event);
  if (time !== current.time) return time > current.time;
  if (sequence !== current.sequence) return sequence > current.sequence;
  return event_id > current.event_id;
}
