import { firstMessage, startModule } from "../machine/pinned-process.ts";

export interface MatchingRecord {
  /** "router" or "find-my-way" */
  readonly row: string;
  /** "hits" or "misses" */
  readonly paths: string;
  readonly round: number;
  /** Time for one path. */
  readonly nanoseconds: number;
}

const MAIN = import.meta.resolve("./matching-main.ts");
const MAX_MS = 120_000;

export async function measureMatching(cores: string | null): Promise<readonly MatchingRecord[]> {
  const started = startModule(MAIN, cores);
  const recordsOf = (message: unknown) => message as { records: readonly MatchingRecord[] };
  const { records } = await firstMessage(started, recordsOf, "the matching", MAX_MS);
  await started.stop();
  return records;
}
