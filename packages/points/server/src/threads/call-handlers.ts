import { auditAddress } from "../audit/audit-address.ts";
import { importContent } from "../content/import-content.ts";
import { importEvents } from "../ingest/import-events.ts";
import type { ImportReport } from "../ingest/import-report.ts";
import { ingestEvents } from "../ingest/ingest-events.ts";
import { EventLog } from "../ledger/event-log.ts";
import { LedgerReader } from "../ledger/ledger-reader.ts";
import { BlockWriter } from "../snapshots/block-writer.ts";
import { buildSnapshots } from "../snapshots/build-snapshots.ts";
import { previewRecompute } from "../snapshots/preview-recompute.ts";
import type { PointsDatabase } from "../storage/source.ts";
import { SnapshotStorage } from "./snapshot-storage.ts";
import type { CallName, CallReply, CallRequest, ThreadData } from "./thread-calls.ts";

/** Passed along with a call. */
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
  data: Omit<ThreadData, "role">,
): CallHandlers {
  const { program } = data;
  const log = new EventLog(database);
  const reader = new LedgerReader(database);
  const writer = new BlockWriter(database);
  return {
    open: async () => null,
    ingest: ({ events, onError, cursor }) => ingestEvents(log, program, events, onError, cursor),
    importFile: (request, context) => importEvents(log, program, { ...request, ...context }),
    importContent: ({ file, format }, { signal }) =>
      importContent(database, program, file, format, signal),
    buildSnapshot: async ({ recompute }, { signal }) => {
      await using storage = new SnapshotStorage(data);
      const options = { signal, sink: storage, source: storage, recompute };
      return await buildSnapshots(database, program, options);
    },
    audit: ({ address }, { signal }) => auditAddress(database, address, signal),
    previewRecompute: (_request, { signal }) => previewRecompute(database, program, { signal }),
    readEvents: (range) => reader.page(range),
    writeBlocks: async (batch) => {
      await writer.write(batch);
      return null;
    },
  };
}
