import type { AddressAudit } from "../audit/audit-address.ts";
import type { ContentReport } from "../content/import-content.ts";
import type { ImportReport, OnError } from "../ingest/import-report.ts";
import type { FileFormat } from "../ingest/read-lines.ts";
import type { Cursor } from "../ledger/cursor.ts";
import type { EventPage, EventRange } from "../ledger/event-source.ts";
import type { Program } from "../program/program.ts";
import type { BlockBatch } from "../snapshots/block-writer.ts";
import type { RecomputePreview } from "../snapshots/preview-recompute.ts";
import type { SnapshotInfo } from "../snapshots/snapshot-info.ts";
import type { StorageOptions } from "../storage/open-database.ts";
import type { Failure } from "./failure.ts";

/** The data a thread starts with. */
export interface ThreadData {
  readonly storage: StorageOptions;
  readonly program: Program;
  /** The `nice` value of every thread except the ledger's. */
  readonly jobNiceness: number;
  /**
   * `ledger` answers small calls while the store is open. The others each do one job and give way to everything else;
   * `snapshot storage` reads and writes for `snapshot`.
   */
  readonly role: "ledger" | "import" | "snapshot" | "snapshot storage";
}

/** The calls of the threads. */
export interface ThreadCalls {
  /** Answered once the storage is usable. */
  readonly open: { readonly request: null; readonly reply: null };
  readonly ingest: {
    readonly request: {
      readonly events: readonly unknown[];
      readonly onError: OnError;
      readonly cursor: Cursor | null;
    };
    readonly reply: ImportReport;
  };
  readonly importFile: {
    readonly request: {
      readonly file: string;
      readonly format: FileFormat | undefined;
      readonly onError: OnError;
    };
    readonly reply: ImportReport;
  };
  readonly importContent: {
    readonly request: { readonly file: string; readonly format: FileFormat | undefined };
    readonly reply: ContentReport;
  };
  readonly buildSnapshot: {
    readonly request: { readonly recompute: boolean };
    readonly reply: SnapshotInfo;
  };
  readonly audit: { readonly request: { readonly address: string }; readonly reply: AddressAudit };
  readonly previewRecompute: { readonly request: null; readonly reply: RecomputePreview };
  readonly readEvents: { readonly request: EventRange; readonly reply: EventPage };
  readonly writeBlocks: { readonly request: BlockBatch; readonly reply: null };
}

export type CallName = keyof ThreadCalls;
export type CallRequest<Name extends CallName> = ThreadCalls[Name]["request"];
export type CallReply<Name extends CallName> = ThreadCalls[Name]["reply"];

/** Messages to a thread. */
export type ThreadMessage =
  | CallMessage
  | { readonly kind: "abort"; readonly id: number }
  /** The thread ends once it has answered all earlier calls. */
  | { readonly kind: "end" };

export interface CallMessage<Name extends CallName = CallName> {
  readonly kind: "call";
  readonly id: number;
  readonly name: Name;
  readonly request: CallRequest<Name>;
}

/** Messages from a thread. */
export type ThreadAnswer =
  | { readonly kind: "reply"; readonly id: number; readonly reply: unknown }
  | { readonly kind: "failure"; readonly id: number; readonly failure: Failure }
  | { readonly kind: "progress"; readonly id: number; readonly report: ImportReport };
