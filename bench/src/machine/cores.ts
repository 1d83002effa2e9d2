import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";

/** The cores that the parts of a measurement run on, in the form that `taskset -c` takes; null: not pinned. */
export interface CoreAssignment {
  readonly server: string | null;
  readonly upstream: string | null;
  readonly load: string | null;
  /** For measurements that give the server two cores. */
  readonly serverTwoCores: string | null;
  /** What readers of the figures must know. */
  readonly note: string;
}

/**
 * The server under test gets core 0 for itself. Upstream and load generator share core 1,
 * or get a core each if the machine has three.
 */
export function assignCores(): CoreAssignment {
  const cores = availableParallelism();
  const pinned = cores >= 2 && spawnSync("taskset", ["--version"]).status === 0;
  if (!pinned) {
    const reason = cores < 2 ? "the machine has one core" : "taskset (util-linux) is not installed";
    const note = `NOT PINNED: ${reason}; figures of CPU hold, those of speed only roughly`;
    return { server: null, upstream: null, load: null, serverTwoCores: null, note };
  }
  const load = cores >= 3 ? "2" : "1";
  return {
    server: "0",
    upstream: "1",
    load,
    serverTwoCores: cores >= 4 ? "0,3" : "0,1",
    note: `server on core 0, upstream on core 1, load generator on core ${load}`,
  };
}
