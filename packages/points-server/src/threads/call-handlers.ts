import { importContent } from "../content/import-content.ts";
import { importEvents } from "../ingest/import-events.ts";
import type { ImportReport } from "../ingest/import-report.ts";
import { ingestEvents } from "../ingest/ingest-events.ts";
import { EventLog } from "../ledger/event-log.ts";
import type { Program } from "../program/program.ts";
import { buildSnapshot } from "../snapshots/build-snapshot.ts";
import type { PointsDatabase } from "../storage/database.ts";
import type { CallName, CallReply, CallRequest } from "./thread-calls.ts";

/** What comes with a call. */
export interface CallContext {
  readonly signal: AbortSignal;
  readonly onProgress: (report: ImportReport) => void;
}

/** One function for each call. */
export type CallHandlers = {
  readonly [Name in CallName]: (
    request: CallRequest<Name>,
    context: CallContext,
  ) => Promise<CallReply<Name>>;
};

export function callHandlers(database: PointsDatabase, program: Program): CallHandlers {
  const log = new EventLog(database);
  return {
    open: async () => null,
    ingest: ({ events, onError }) => ingestEvents(log, program, events, onError),
    importFile: (request, context) => importEvents(log, program, { ...request, ...context }),
    importContent: async ({ file, format }, { signal }) => ({
      entries: await importContent(database, program, file, format, signal),
    }),
    buildSnapshot: (_request, { signal }) => buildSnapshot(database, program, { signal }),
  };
}
