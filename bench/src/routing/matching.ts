import { fileURLToPath } from "node:url";
import { firstMessage, startPinned } from "../machine/pinned-process.ts";

export interface MatchingRecord {
  /** "router" or "find-my-way" */
  readonly row: string;
  /** "hits" or "misses" */
  readonly paths: string;
  readonly round: number;
  /** Time for one path. */
  readonly nanoseconds: number;
}

const MAIN = fileURLToPath(import.meta.resolve("./matching-main.ts"));

export async function measureMatching(cores: string | null): Promise<readonly MatchingRecord[]> {
  const started = startPinned({
    cores,
    command: process.execPath,
    args: [...process.execArgv, MAIN],
    ipc: true,
  });
  const { records } = await firstMessage(
    started,
    (message) => message as { records: readonly MatchingRecord[] },
  );
  await started.stop();
  return records;
}
