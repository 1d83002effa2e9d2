import { Temporal } from "temporal-polyfill";

/** The window in which a market opens; both ends are equal if the time is exact. */
export interface MarketOpening {
  readonly from: Temporal.Instant;
  readonly by: Temporal.Instant;
}

/** A period in which a market is open: from its opening until just before `closes`. */
export interface Session extends MarketOpening {
  readonly closes: Temporal.Instant;
}

/** A period in which it is closed despite its weekly sessions, from `closes` until it opens again. */
export interface Holiday extends MarketOpening {
  readonly closes: Temporal.Instant;
}

/** The parts of a session outside the holidays. */
export function withoutHolidays(session: Session, holidays: readonly Holiday[]): Session[] {
  let left = [session];
  for (const holiday of holidays) left = left.flatMap((part) => without(part, holiday));
  return left;
}

function without(session: Session, { closes, from, by }: Holiday): Session[] {
  if (!isBefore(session.from, from) || !isBefore(closes, session.closes)) return [session];
  const parts: Session[] = [];
  if (isBefore(session.from, closes)) parts.push({ ...session, closes });
  if (isBefore(from, session.closes)) parts.push({ from, by, closes: session.closes });
  return parts;
}

export function isBefore(a: Temporal.Instant, b: Temporal.Instant): boolean {
  return Temporal.Instant.compare(a, b) < 0;
}
