import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "@proj/test-kit";
import { startPinned } from "../../machine/pinned-process.ts";
import type { RowContext, RunningServer, ServerRow } from "../server-row.ts";
import { UPSTREAM_PATH } from "../server-row.ts";
import { untilAnswering } from "../until-answering.ts";
import { installWheels, peerFolder } from "./install.ts";

const VERSION = "1.106.2";
const LOGGER = fileURLToPath(new URL("./litellm_sqlite_log.py", import.meta.url));
/** Its imports take ten seconds on a core of its own. */
const LONGEST_START_MS = 120_000;

export const litellmRow: ServerRow = litellmRowOf({
  name: "litellm",
  description: `LiteLLM ${VERSION} as a proxy, one worker, no logging`,
  records: "nothing",
  logs: false,
});

/** Its own database log needs PostgreSQL, and an engine that its database client downloads. */
export const litellmLogRow: ServerRow = litellmRowOf({
  name: "litellm-log",
  description:
    "the same with a callback of ours (its documented CustomLogger) that writes whole requests and answers " +
    "to SQLite, in batches, once the answers have gone; not its own spend log",
  records: "later or lossily",
  logs: true,
});

interface Variant extends Pick<ServerRow, "name" | "description" | "records"> {
  readonly logs: boolean;
}

function litellmRowOf({ logs, ...row }: Variant): ServerRow {
  return {
    ...row,
    reasonMissing: () => installWheels("litellm", [`litellm[proxy]==${VERSION}`]),
    start: (context) => start(logs, context),
  };
}

async function start(logs: boolean, context: RowContext): Promise<RunningServer> {
  const { upstream, cores, folder } = context;
  const port = await freePort();
  const file = join(folder, "config.yaml");
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(configuration(upstream.port, logs), null, 2));
  if (logs) copyFileSync(LOGGER, join(folder, "litellm_sqlite_log.py"));
  const options = ["--host", "127.0.0.1", "--port", String(port), "--num_workers", "1"];
  const started = startPinned({
    cores,
    command: join(peerFolder("litellm"), ".venv/bin/litellm"),
    args: ["--config", file, ...options],
    environment: {
      LITELLM_LOG: "ERROR",
      LITELLM_MODE: "PRODUCTION",
      // It listens only on loopback, and only the bench calls it.
      LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY: "true",
      // Nothing is downloaded at start.
      LITELLM_LOCAL_MODEL_COST_MAP: "True",
      BENCH_LOG_FILE: join(folder, "requests.db"),
    },
    folder,
  });
  await untilAnswering(started, port, "/health/liveliness", LONGEST_START_MS);
  return {
    port,
    pid: started.pid,
    path: UPSTREAM_PATH,
    headers: "",
    relaysBytes: false,
    stop: () => started.stop(),
  };
}

function configuration(upstreamPort: number, logs: boolean): object {
  const litellm_params = {
    model: "openai/bench-model",
    api_base: `http://127.0.0.1:${upstreamPort}/v1`,
    api_key: "bench",
  };
  return {
    model_list: [{ model_name: "bench-model", litellm_params }],
    litellm_settings: {
      telemetry: false,
      ...(logs ? { callbacks: ["litellm_sqlite_log.handler"] } : {}),
    },
  };
}
