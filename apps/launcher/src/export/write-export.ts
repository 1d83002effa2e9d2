import { createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import {
  type ExportFormat,
  exportParquet,
  exportRollouts,
  exportTrajectories,
  FollowedFileError,
  followJob,
  type RolloutExportOptions,
} from "@proj/launcher-client";
import { UsageError } from "@proj/program";
import type { JobReader } from "@proj/session-store";
import { writeText } from "../text/write-text.ts";

export interface ExportTarget {
  /** Undefined: single steps. */
  readonly format: ExportFormat | undefined;
  readonly job_id: string | null;
  readonly output: string | null;
  readonly follow: boolean;
  readonly parquet: boolean;
}

/** Writes an export, and tells whether it has no line. */
export async function isEmptyExport(
  store: JobReader,
  { format, job_id, output, follow, parquet }: ExportTarget,
  chosen: Omit<RolloutExportOptions, "format"> & { readonly signal: AbortSignal },
): Promise<boolean> {
  if (follow && format !== undefined && job_id !== null && output !== null) {
    await followJob(store, { ...chosen, job_id, format, file: output }).catch((error: unknown) => {
      if (error instanceof FollowedFileError) throw new UsageError(error.message);
      throw error;
    });
    return (await stat(output)).size === 0;
  }
  if (parquet && format !== undefined && output !== null)
    return (await exportParquet(store, output, { ...chosen, format })) === 0;
  const counted = new CountedPieces(
    format === undefined
      ? exportTrajectories(store, chosen)
      : exportRollouts(store, { ...chosen, format }),
  );
  await writeText(output === null ? process.stdout : createWriteStream(output), counted);
  return counted.count === 0;
}

/** Pieces of text, and how many there were. */
class CountedPieces implements AsyncIterable<string> {
  readonly #pieces: AsyncIterable<string>;
  count = 0;

  constructor(pieces: AsyncIterable<string>) {
    this.#pieces = pieces;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    for await (const piece of this.#pieces) {
      this.count += 1;
      yield piece;
    }
  }
}
