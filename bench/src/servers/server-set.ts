import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { BodyName, LoadTarget } from "../load/load-protocol.ts";
import { RESULTS_FOLDER } from "../results.ts";
import { PLAIN_ANSWER_BYTES, STREAM_ANSWER_BYTES } from "../upstream/canned-answers.ts";
import type { RowContext, RunningServer, ServerRow } from "./server-row.ts";

/** A row's running server, and the target of requests to it. */
export interface StartedRow {
  readonly row: ServerRow;
  readonly server: RunningServer;
  readonly target: LoadTarget;
}

export interface ServerSet {
  readonly started: readonly StartedRow[];
  /** Stops all servers and removes their files. */
  readonly stop: () => Promise<void>;
}

export type ServerSetContext = Omit<RowContext, "folder">;

/** Starts one server for each row, side by side; reports those that do not start to `onMissing`. */
export async function startServers(
  rows: readonly ServerRow[],
  context: ServerSetContext,
  body: BodyName,
  onMissing: (row: string, reason: string) => void,
): Promise<ServerSet> {
  mkdirSync(RESULTS_FOLDER, { recursive: true });
  const folder = mkdtempSync(join(RESULTS_FOLDER, "run-"));
  const removeFiles = (): void => rmSync(folder, { recursive: true, force: true });
  process.once("exit", removeFiles);
  const started: StartedRow[] = [];
  for (const row of rows) {
    const rowFolder = join(folder, row.name);
    mkdirSync(rowFolder);
    try {
      const server = await row.start({ ...context, folder: rowFolder });
      started.push({ row, server, target: targetOf(row, server, body) });
    } catch (error) {
      onMissing(row.name, error instanceof Error ? error.message : String(error));
    }
  }
  return {
    started,
    stop: async () => {
      await Promise.all(started.map(({ server }) => server.stop()));
      process.off("exit", removeFiles);
      removeFiles();
    },
  };
}

function targetOf(row: ServerRow, server: RunningServer, body: BodyName): LoadTarget {
  return {
    row: row.name,
    port: server.port,
    path: server.path,
    pid: server.pid,
    answerBytes: body === "stream" ? STREAM_ANSWER_BYTES : PLAIN_ANSWER_BYTES,
  };
}
