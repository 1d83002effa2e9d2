import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { DomainEvent, PriceEvent } from "../events/event.ts";
import type { PointsRunner, PointsSource } from "../storage/source.ts";
import { eventKinds } from "./event-kind.ts";

/** Decides which of two prices or domains is newer. */
interface Version {
  readonly time: number;
  readonly sequence: number;
  readonly event_id: string;
}

export interface RetractedRow {
  readonly stream: number;
  readonly time: number;
  readonly kind: number;
  readonly address: string;
}

const version = {
  time: parameter<number>("time"),
  sequence: parameter<number>("sequence"),
  event_id: parameter<string>("event_id"),
};
const price = {
  ...version,
  price: parameter<string>("price"),
  price_decimals: parameter<number>("price_decimals"),
};
const domain = {
  ...version,
  domain: parameter<string>("domain"),
  name: parameter<string>("name"),
};
const token = parameter<string>("token");
const address = parameter<string>("address");
const newest = ({ db, dialect }: PointsSource) =>
  db
    .selectFrom("events")
    .select(["id", "time", "sequence", "position", "amount"])
    .where("stream", "=", parameter<number>("stream"))
    .where("retracted_seq", "is", null)
    .orderBy("time", "desc")
    .orderBy("sequence", "desc")
    .orderBy("id", (order) => order.collate(dialect.byteOrder).desc())
    .limit(1);

const findNewest = query(newest);
const findNewestDomain = query((source: PointsSource) =>
  newest(source).where("address", "=", address),
);
const findStreamKey = query(({ db }: PointsSource) =>
  db.selectFrom("streams").select("key").where("id", "=", parameter<number>("id")),
);
const dropPrice = query(({ db }: PointsSource) =>
  db.deleteFrom("prices").where("token", "=", token),
);
const dropDomain = query(({ db }: PointsSource) =>
  db.deleteFrom("domains").where("address", "=", address),
);
const findPrice = query(({ db }: PointsSource) =>
  db.selectFrom("prices").select(["time", "sequence", "event_id"]).where("token", "=", token),
);
const storePrice = query(({ db }: PointsSource) =>
  db
    .insertInto("prices")
    .values({ token, ...price })
    .onConflict((conflict) => conflict.column("token").doUpdateSet(price)),
);
const findOwner = query(({ db, dialect }: PointsSource) =>
  db
    .selectFrom("domains")
    .select("address")
    .where("name", "=", parameter<string>("name"))
    .orderBy("time", "desc")
    .orderBy("sequence", "desc")
    .orderBy("event_id", (order) => order.collate(dialect.byteOrder).desc())
    .limit(1),
);
const findDomain = query(({ db }: PointsSource) =>
  db.selectFrom("domains").select(["time", "sequence", "event_id"]).where("address", "=", address),
);
const storeDomain = query(({ db }: PointsSource) =>
  db
    .insertInto("domains")
    .values({ address, ...domain })
    .onConflict((conflict) => conflict.column("address").doUpdateSet(domain)),
);

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
  const [current] = (await runner.run(findPrice, { token })).rows;
  if (!isNewer(event, current)) return;
  const values = { token, price, price_decimals, ...versionOf(event) };
  await runner.run(storePrice, values);
}

async function putDomain(runner: PointsRunner, event: DomainEvent): Promise<void> {
  const { address, domain } = event;
  const [current] = (await runner.run(findDomain, { address })).rows;
  if (!isNewer(event, current)) return;
  const values = { address, domain, name: domainName(domain), ...versionOf(event) };
  await runner.run(storeDomain, values);
}

async function restorePrice(runner: PointsRunner, { stream }: RetractedRow): Promise<void> {
  const [{ key } = { key: "" }] = (await runner.run(findStreamKey, { id: stream })).rows;
  const token = key.slice(key.indexOf("/") + 1);
  await runner.run(dropPrice, { token });
  const [newest] = (await runner.run(findNewest, { stream })).rows;
  if (newest === undefined) return;
  const { id: event_id, time, sequence, position, amount: price } = newest;
  const values = { token, price, price_decimals: Number(position), time, sequence, event_id };
  await runner.run(storePrice, values);
}

async function restoreDomain(
  runner: PointsRunner,
  { stream, address }: RetractedRow,
): Promise<void> {
  await runner.run(dropDomain, { address });
  const [newest] = (await runner.run(findNewestDomain, { stream, address })).rows;
  if (newest === undefined) return;
  const { id: event_id, time, sequence, position } = newest;
  const domain = position ?? "";
  const values = { address, domain, name: domainName(domain), time, sequence, event_id };
  await runner.run(storeDomain, values);
}

/** The address that took a domain last, or null. */
export async function readOwner(runner: PointsRunner, domain: string): Promise<string | null> {
  if (domain === "") return null;
  const name = domainName(domain);
  return (await runner.run(findOwner, { name })).rows[0]?.address ?? null;
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
