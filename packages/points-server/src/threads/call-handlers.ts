import { importContent } from "../content/import-content.ts";
import { importEvents } from "../ingest/import-events.ts";
import type { ImportReport } from "../ingest/import-report.ts";
import { ingestEvents } from "../ingest/ingest-events.ts";
import { EventLog } from "../ledger/event-log.ts";
import { LedgerReader } from "../ledger/ledger-reader.ts";
import { BlockWriter } from "../snapshots/block-writer.ts";
import { buildSnapshot } from "../snapshots/build-snapshot.ts";
import type { PointsDatabase } from "../storage/database.ts";
import { SnapshotStorage } from "./snapshot-storage.ts";
import type { CallName, CallReply, CallRequest, ThreadData } from "./thread-calls.ts";

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

export function callHandlers(
  database: PointsDatabase,
  data: Pick<ThreadData, "program" | "storage">,
): CallHandlers {
  const { program } = data;
  const log = new EventLog(database);
  const reader = new LedgerReader(database);
  const writer = new BlockWriter(database);
  return {
    open: async () => null,
    ingest: ({ events, onError }) => ingestEvents(log, program, events, onError),
    importFile: (request, context) => importEvents(log, program, { ...request, ...context }),
    importContent: async ({ file, format }, { signal }) => ({
      entries: await importContent(database, program, file, format, signal),
    }),
    buildSnapshot: async (_request, { signal }) => {
      await using storage = new SnapshotStorage(data);
      return await buildSnapshot(database, program, { signal, sink: storage, source: storage });
    },
    readEvents: (range) => reader.page(range),
    writeBlocks: async (batch) => {
      await writer.write(batch);
      return null;
    },
  };
}
