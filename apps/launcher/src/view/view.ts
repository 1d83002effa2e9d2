import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { consolePath, createViewServer } from "@proj/console";
import {
  type Command,
  closeServer,
  defineCommand,
  exitCode,
  Interruption,
  listen,
  optional,
  optionalOperand,
  portOption,
  UsageError,
} from "@proj/program";
import type { JobReader } from "@proj/session-store";
import { noSuchJob, reading } from "../storage.ts";
import { dbPathOf, storageOptions } from "../storage-option.ts";
import { jobPage } from "./job-page.ts";

const defaultPort = 8001;

/** Sessions and jobs in a browser, without a gateway. */
export const view: Command = defineCommand({
  name: "view",
  summary: "sessions and jobs in a browser, without a gateway",
  about:
    "Serves the console over a database: its sessions and jobs, to be looked at in a browser of this machine. With --html it writes a job into one file instead, which opens from disk without a network.",
  no: "there is no such job",
  operand: optionalOperand("JOB", "the job that is shown first"),
  options: {
    ...storageOptions(),
    port: portOption(`listen here instead of on ${defaultPort}`),
    html: optional("FILE", "write JOB into this file, and serve nothing", { completion: "files" }),
  },
  run: ({ operand: job_id, options }, context) => {
    const { html, port } = options;
    if (html !== null && job_id === null) throw new UsageError("--html needs a JOB to write");
    return reading(dbPathOf(options), async (store) => {
      if (job_id !== null && (await store.readJob(job_id)) === null)
        throw noSuchJob(job_id, context);
      if (html !== null && job_id !== null) {
        const page = await jobPage(store, job_id);
        await writeFile(html, page);
        console.error(`${html}: ${Buffer.byteLength(page)} bytes`);
        return exitCode.done;
      }
      await serve(store, job_id, port ?? defaultPort, context.signal);
      return exitCode.done;
    });
  },
});

async function serve(
  store: JobReader,
  job_id: string | null,
  port: number,
  signal: AbortSignal,
): Promise<void> {
  const server = createViewServer(store);
  const url = await listen(server, "127.0.0.1", port);
  const place = job_id === null ? "" : `#/jobs/${encodeURIComponent(job_id)}`;
  console.log(`console  ${url}${consolePath}${place}`);
  try {
    if (!signal.aborted) await once(signal, "abort");
    const name = signal.reason instanceof Interruption ? signal.reason.signal : "ended";
    console.log(`${name}: closing`);
  } finally {
    await closeServer(server, 1_000);
  }
}
