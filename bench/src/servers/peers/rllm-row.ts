import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "@proj/test-kit";
import { startPinned } from "../../machine/pinned-process.ts";
import type { ServerRow } from "../server-row.ts";
import { untilAnswering } from "../until-answering.ts";
import { installWheels, peerFolder } from "./install.ts";

const VERSION = "0.1.0";
const LONGEST_START_MS = 60_000;

/** With `sync_traces` the answer waits for the trace, whose SQLite is `synchronous = normal`. */
export const rllmRow: ServerRow = {
  name: "rllm",
  description:
    `rllm-model-gateway ${VERSION} with its SQLite store and sync_traces, 64 sessions: the trace is ` +
    "written before the answer goes, and survives a killed process but not a loss of power",
  records: "later or lossily",
  reasonMissing: () => installWheels("rllm", [`rllm-model-gateway==${VERSION}`]),
  start: async ({ upstream, cores, folder }) => {
    const port = await freePort();
    const file = join(folder, "gateway.yaml");
    // JSON is YAML.
    const configuration = {
      host: "127.0.0.1",
      port,
      workers: [{ url: `http://127.0.0.1:${upstream.port}/v1`, model_name: "bench-model" }],
      store_worker: "sqlite",
      db_path: join(folder, "traces.db"),
      sync_traces: true,
      log_level: "ERROR",
    };
    writeFileSync(file, JSON.stringify(configuration));
    const started = startPinned({
      cores,
      command: join(peerFolder("rllm"), ".venv/bin/rllm-model-gateway"),
      args: ["--config", file],
      folder,
    });
    await untilAnswering(started, port, "/health", LONGEST_START_MS);
    return {
      port,
      pid: started.pid,
      path: "/sessions/{session}/v1/chat/completions",
      headers: "",
      relaysBytes: false,
      stop: () => started.stop(),
    };
  },
};
