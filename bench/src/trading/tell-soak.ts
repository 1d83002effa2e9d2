import { verdict } from "../terminal/progress.ts";
import { textTable } from "../terminal/text-table.ts";
import type { SoakFaults } from "./soak-faults.ts";
import type { SoakLedger } from "./soak-ledger.ts";
import type { BotsReport, Memory } from "./soak-protocol.ts";

export interface SoakResult {
  readonly ledger: SoakLedger;
  readonly faults: SoakFaults;
  readonly report: BotsReport;
  readonly losses: readonly string[];
  readonly unhandled: readonly string[];
  /** Each process's memory after half of the time, and at the end. */
  readonly memories: readonly Readonly<Record<string, Memory>>[];
  readonly wallSeconds: number;
  /** Of market time. */
  readonly minutes: number;
}

/** The most by which memory may grow in the second half. */
const BOUND = 1.15;
/** In a run of fewer minutes the first half is too short for memory to settle. */
const LEAST_MINUTES = 30;
/** The most lines about one subject. */
const MOST = 10;

/** @returns the exit status */
export function tellSoak(result: SoakResult): number {
  const { ledger, faults, report, losses, unhandled, memories, wallSeconds, minutes } = result;
  const faultRows = [...faults.counts].map(([name, count]) => [name, String(count)]);
  console.log(`\n${textTable(["fault", "times"], faultRows)}\n`);
  const { placed, closings, incomplete, unknown, notSent, refusals, failures } = ledger;
  const refused = [...refusals].map(([code, count]) => `${count} with code ${code}`).join(", ");
  const happened = {
    "orders acknowledged": placed.size,
    "closings acknowledged": closings,
    "orders whose list of trades was marked incomplete": incomplete,
    "orders with an unknown outcome": unknown,
    "requests that did not get through": notSent,
    "requests refused": refused === "" ? "none" : refused,
    reconnects: report.reconnects,
    "prices read": report.prices,
    "table changes read": report.changes,
    "seconds of real time": wallSeconds.toFixed(0),
  };
  const happenedRows = Object.entries(happened).map(([name, count]) => [name, String(count)]);
  console.log(`${textTable(["what happened", "times"], happenedRows)}\n`);
  const [first = {}, last = {}] = memories;
  const growths = Object.entries(last).map(([name, { rss_mb }]) => {
    const before = first[name]?.rss_mb ?? Number.NaN;
    const growth = rss_mb / before;
    return {
      name,
      growth,
      text: `${growth.toFixed(2)} (${before.toFixed(0)} to ${rss_mb.toFixed(0)} MB)`,
    };
  });
  const isJudged = minutes >= LEAST_MINUTES;
  const lists = {
    "trades and orders lost": losses,
    "rejections not handled": unhandled,
    "calls failed otherwise": failures,
    "mirrors that are not the table": report.mirrors,
  };
  const lines = [
    ...Object.entries(lists).map(([name, list]) => [
      name,
      "none",
      list.length === 0 ? "none" : String(list.length),
      verdict(list.length === 0),
    ]),
    ...growths.map(({ name, growth, text }) => [
      `memory of the ${name}, end to half`,
      `<= ${BOUND}`,
      text,
      isJudged ? verdict(growth <= BOUND) : "-",
    ]),
  ];
  console.log(textTable(["required", "bound", "measured", "verdict"], lines));
  for (const [name, list] of Object.entries(lists)) {
    for (const line of list.slice(0, MOST)) console.log(`${name}: ${line}`);
  }
  const isRight = Object.values(lists).every((list) => list.length === 0);
  const isFlat = !isJudged || growths.every(({ growth }) => growth <= BOUND);
  return isRight && isFlat ? 0 : 1;
}
