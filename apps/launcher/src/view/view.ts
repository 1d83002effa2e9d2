import { statSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import {
  consolePath,
  createViewServer,
  ExportFileError,
  jobPage,
  openExport,
  storagePage,
} from "@proj/console";
import {
  type Command,
  defineCommand,
  exitCode,
  optional,
  optionalOperand,
  portOption,
  requireFreeAddress,
  UsageError,
} from "@proj/program";
import type { JobReader } from "@proj/session-store";
import { isArchive, ofJob, reading, requireJob } from "../storage.ts";
import { dbPathOf, storageOptions } from "../storage-option.ts";
import { serveConsole, viewHost } from "./serve-console.ts";

const defaultPort = 8001;

/** Shows sessions and jobs in a browser, without a gateway. */
export const view: Command = defineCommand({
  name: "view",
  summary: "show sessions and jobs in a browser, without a gateway",
  about: `Serves the console for a database or an export of steps (JSON Lines from export without --format, or from
the console; not Parquet), for a browser on this machine, which asks for the key that is printed. With --html it writes a job, or the whole export, into a
single file instead, which opens from disk without a network. If the operand names both a
file and a job, the file is used.`,
  no: "there is no such job",
  operand: optionalOperand(
    "JOB|FILE",
    "the job to show first; or an export of steps, or an archive, instead of the database",
    "files",
  ),
  options: {
    ...storageOptions(),
    port: portOption(`listen here instead of on ${defaultPort}`),
    html: optional("FILE", "write JOB, or the export, into this file, and do not serve", {
      completion: "files",
    }),
  },
  run: async ({ operand, options }, context) => {
    const { html } = options;
    if (html !== null && operand === null)
      throw new UsageError("--html needs a JOB or an export to write");
    const port = options.port ?? defaultPort;
    if (html === null) await requireFreeAddress(viewHost, port);
    const writePage = async (to: string, page: string): Promise<void> => {
      await writeFile(to, page);
      console.error(`${to}: ${Buffer.byteLength(page)} bytes`);
    };
    if (operand !== null && isFile(operand)) {
      await using opened = await openExport(operand, context.signal).catch((error: unknown) => {
        throw error instanceof ExportFileError ? new UsageError(error.message) : error;
      });
      const { store } = opened;
      if (html !== null) await writePage(html, await storagePage(store.browser));
      else await serve(store, null, port, context.signal);
      return exitCode.done;
    }
    const isWhole = operand !== null && isArchive(operand);
    const job_id = isWhole ? null : operand;
    return reading(
      isWhole ? operand : dbPathOf(options),
      async (store) => {
        if (job_id !== null) await requireJob(store, job_id, context);
        if (html === null) await serve(store, job_id, port, context.signal);
        else
          await writePage(
            html,
            await (job_id === null ? storagePage(store.browser) : jobPage(store.browser, job_id)),
          );
        return exitCode.done;
      },
      ofJob(job_id, context),
    );
  },
});

const isFile = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isFile() === true;

function serve(
  store: JobReader,
  job_id: string | null,
  port: number,
  signal: AbortSignal,
): Promise<void> {
  const place = job_id === null ? "" : `#/jobs/${encodeURIComponent(job_id)}`;
  const open = (key: string) => createViewServer(store, { key });
  return serveConsole(open, `${consolePath}${place}`, port, signal);
}
