import { eventRules, parseEvent } from "../events/parse-event.ts";
import type { Cursor } from "../ledger/cursor.ts";
import type { EventLog } from "../ledger/event-log.ts";
import type { Program } from "../program/program.ts";
import { ImportError, type ImportReport, ImportTally, type OnError } from "./import-report.ts";
import { parseLines } from "./parse-lines.ts";

/** Events per call: it is one transaction, and other writers wait for it. */
export const maxEvents = 10_000;

/**
 * Adds a list of events in one transaction.
 * @throws ImportError CursorConflictError StoreUnavailableError
 */
export async function ingestEvents(
  log: EventLog,
  program: Program,
  values: readonly unknown[],
  onError: OnError,
  cursor: Cursor | null = null,
): Promise<ImportReport> {
  const rules = eventRules(program);
  const tally = new ImportTally();
  const lines = values.map((value, index) => ({ line: index + 1, value }));
  const events = parseLines(lines, (value) => parseEvent(value, rules), tally);
  if (onError === "refuse" && tally.refused > 0) throw new ImportError(tally.report);
  tally.taken(events.length, await log.append(events, cursor));
  return tally.report;
}
