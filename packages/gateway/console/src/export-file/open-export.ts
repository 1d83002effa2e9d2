import { once } from "node:events";
import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { createInterface } from "node:readline";
import { type JobReader, openCopy, type SqliteCopy } from "@proj/session-store";
import { type ExportedLine, readExportedLine } from "./exported-line.ts";

/** The file is not an export of steps; the message says where and why. */
export class ExportFileError extends Error {
  override readonly name = "ExportFileError";
}

/** An export that can be read like the storage that it came from. */
export interface OpenedExport extends AsyncDisposable {
  readonly store: JobReader;
}

/**
 * Reads an export of steps (JSON Lines from `launcher export` or from the console) into a temporary
 * database, which disposal removes. However large the file, only one line is in memory.
 * @throws ExportFileError; the errors of the file system; the signal's reason
 */
export async function openExport(file: string, signal?: AbortSignal): Promise<OpenedExport> {
  await refuseParquet(file);
  const store = await openCopy((copy) => copyLines(file, copy, signal));
  return { store, [Symbol.asyncDispose]: () => store.close() };
}

async function refuseParquet(file: string): Promise<void> {
  await using handle = await open(file);
  const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0);
  if (buffer.toString("latin1") === "PAR1")
    throw new ExportFileError(
      `${file} is a Parquet file. Those hold rollouts as trainers read them, without the requests and answers that the console shows. Export the steps instead, without --format and --parquet: launcher export --job-id JOB --output steps.jsonl`,
    );
}

async function copyLines(file: string, copy: SqliteCopy, signal?: AbortSignal): Promise<void> {
  const storedAt = (await stat(file)).mtime.toISOString();
  const input = createReadStream(file, { signal });
  const failed = once(input, "error").then(([error]) => Promise.reject(error));
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  const copyAll = async (): Promise<void> => {
    let number = 0;
    let session: ExportedLine[] = [];
    const seen = new Set<string>();
    const end = (): void => {
      addAttempt(copy, session);
      session = [];
    };
    for await (const line of lines) {
      number += 1;
      if (line.trim() === "") continue;
      const read = lineOf(line, { file, number, storedAt });
      const { session_id } = read.step;
      if (session[0] !== undefined && session[0].step.session_id !== session_id) end();
      if (session.length === 0 && seen.has(session_id))
        throw notSteps(
          { file, number },
          `session '${session_id}' already ended on an earlier line`,
        );
      seen.add(session_id);
      copy.addStep(read.step);
      // The first and the last step say when the attempt ran.
      session = [session[0] ?? read, read];
    }
    end();
  };
  try {
    await Promise.race([copyAll(), failed]);
  } finally {
    input.destroy();
  }
}

interface Place {
  readonly file: string;
  readonly number: number;
}

function lineOf(line: string, place: Place & { readonly storedAt: string }): ExportedLine {
  try {
    return readExportedLine(line, place.storedAt);
  } catch (error) {
    if (error instanceof SyntaxError) throw notSteps(place, error.message);
    throw error;
  }
}

const notSteps = ({ file, number }: Place, why: string): ExportFileError =>
  new ExportFileError(
    `${file}, line ${number}: ${why}. A file can be viewed if launcher export wrote it without --format, or if the console exported it.`,
  );

function addAttempt(copy: SqliteCopy, [first, last]: readonly ExportedLine[]): void {
  if (first?.attempt == null || last === undefined) return;
  const { session_id, env_name, group_id, created_at } = first.step;
  copy.addAttempt({
    ...first.attempt,
    // An export has only the attempt that finished, and a storage numbers attempts without gaps.
    attempt: 1,
    ...{ session_id, env_name, group_id, status: "finished" },
    ...{ owner: null, heartbeat_at: null, env_params: null, result: null, error: null },
    ...{ created_at, started_at: created_at, finished_at: last.step.created_at },
  });
}
