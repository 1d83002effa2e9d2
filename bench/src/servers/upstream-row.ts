import { startServer } from "../machine/pinned-process.ts";
import { type ServerRow, UPSTREAM_PATH } from "./server-row.ts";

const MAIN = import.meta.resolve("../upstream/upstream-main.ts");

export interface RunningUpstream {
  readonly port: number;
  readonly pid: number;
  /** That it runs on. */
  readonly cores: string | null;
  readonly stop: () => Promise<void>;
}

/** The run's only upstream, to which all servers forward. */
export async function startUpstream(cores: string | null): Promise<RunningUpstream> {
  const { port, process: started } = await startServer(MAIN, cores);
  return { port, pid: started.pid, cores, stop: () => started.stop() };
}

export const upstreamRow: ServerRow = {
  name: "upstream",
  description: "the fake upstream directly, on its own core: the ceiling of what can be measured",
  records: "nothing",
  reasonMissing: async () => null,
  start: async ({ upstream }) => ({
    port: upstream.port,
    pid: upstream.pid,
    path: UPSTREAM_PATH,
    stop: async () => {},
  }),
};
