import type { PointsEvent } from "../events/event.ts";
import { eventRules, parseEvent } from "../events/parse-event.ts";
import type { EventLog } from "../ledger/event-log.ts";
import type { Program } from "../program/program.ts";
import { ImportError, type ImportReport, ImportTally, type OnError } from "./import-report.ts";
import { parseLines } from "./parse-lines.ts";
import { type FileFormat, readLines } from "./read-lines.ts";

/**
 * Events per transaction: others wait for the lock during each, and smaller batches rewrite the pages of the
 * index of ids more often.
 */
const batchEvents = 50_000;
const numberMembers: ReadonlySet<string> = new Set([
  "time",
  "sequence",
  "priceDecimals",
  "amountDecimals",
]);

export interface FileImport {
  readonly file: string;
  readonly format: FileFormat | undefined;
  readonly onError: OnError;
  /** Called after each batch with what is durable so far. */
  readonly onProgress: (report: ImportReport) => void;
  readonly signal: AbortSignal;
}

/**
 * Adds the events of a file, batch by batch: after a failure some are stored, and importing the file again adds
 * the rest. With `refuse`, the whole file is checked first.
 * @throws ImportError StoreUnavailableError, errors of the file system, the signal's reason
 */
export async function importEvents(
  log: EventLog,
  program: Program,
  options: FileImport,
): Promise<ImportReport> {
  if (options.onError === "refuse") {
    const check = new ImportTally();
    for await (const _events of readEvents(program, options, check));
    if (check.refused > 0) throw new ImportError(check.report);
  }
  const tally = new ImportTally();
  for await (const events of readEvents(program, options, tally)) {
    tally.taken(events.length, await log.append(events));
    options.onProgress(tally.report);
  }
  return tally.report;
}

async function* readEvents(
  program: Program,
  { file, format, signal }: FileImport,
  tally: ImportTally,
): AsyncGenerator<readonly PointsEvent[]> {
  let events: PointsEvent[] = [];
  for await (const lines of readLines(file, { format, numbers: numberMembers, signal })) {
    signal.throwIfAborted();
    const rules = eventRules(program);
    events = events.concat(parseLines(lines, (value) => parseEvent(value, rules), tally));
    if (events.length < batchEvents) continue;
    yield events;
    events = [];
  }
  yield events;
}
