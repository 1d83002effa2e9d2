import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "@proj/test-kit";
import { startPinned, startServer } from "../machine/pinned-process.ts";
import {
  type RowContext,
  type RunningServer,
  type ServerRow,
  UPSTREAM_PATH,
} from "./server-row.ts";
import { untilAnswering } from "./until-answering.ts";

const WORKSPACE = fileURLToPath(new URL("../../..", import.meta.url));
/** Where a working copy has the program's entry, newest layout first. */
const ENTRIES = ["apps/gateway/src/bin.ts", "apps/gateway/src/main.ts"];

interface GatewayVariant {
  readonly name: string;
  readonly description: string;
  readonly bound: boolean;
  /** Whether it sends traces to a receiver, which runs beside the upstream. @default false */
  readonly traced?: boolean;
  /** Of the program's database. @default "full" */
  readonly synchronous?: "normal";
  /** Other routes than the one that the load asks for. */
  readonly llm_routes?: object;
  /** The working copy whose gateway runs. @default this one */
  readonly workspace?: string;
}

export const gatewayUnboundRow: ServerRow = gatewayRow({
  name: "gateway-unbound",
  description: "this gateway's unbound endpoint, request log off",
  bound: false,
});

export const gatewayBoundRow: ServerRow = gatewayRow({
  name: "gateway-bound",
  description:
    "64 sessions; strict telemetry in SQLite, FULL, whole payloads, redaction, request log",
  bound: true,
});

export const gatewayBoundNormalRow: ServerRow = gatewayRow({
  name: "gateway-bound-normal",
  description: "the same with `synchronous: normal`",
  bound: true,
  synchronous: "normal",
});

export const gatewayBoundTracedRow: ServerRow = gatewayRow({
  name: "gateway-bound-traced",
  description: "gateway-bound with traces over OTLP to a receiver that reads and forgets them",
  bound: true,
  traced: true,
});

/**
 * The rows of another working copy's gateway, such as an older commit's, measured in the same run.
 * @param workspace its root, with its dependencies installed
 */
export function rowsBefore(workspace: string): ServerRow[] {
  return [false, true].map((bound) => {
    const name = bound ? "bound" : "unbound";
    const description = `gateway-${name} of ${workspace}`;
    return gatewayRow({ name: `before-${name}`, description, bound, workspace });
  });
}

export function gatewayRow(variant: GatewayVariant): ServerRow {
  return {
    name: variant.name,
    description: variant.description,
    records: variant.bound ? "every step durably" : "nothing",
    reasonMissing: async () =>
      entryOf(variant) === undefined ? `the program is not there: ${ENTRIES.join(", ")}` : null,
    start: (context) => startGateway(variant, context),
  };
}

function entryOf({ workspace = WORKSPACE }: GatewayVariant): string | undefined {
  return ENTRIES.map((entry) => join(workspace, entry)).find((path) => existsSync(path));
}

async function startGateway(variant: GatewayVariant, context: RowContext): Promise<RunningServer> {
  const port = await freePort();
  const file = join(context.folder, "gateway.yaml");
  const sink = variant.traced === true ? await startTraceSink(context.upstream.cores) : null;
  const traces = sink === null ? {} : { opentelemetry: { enabled: true, endpoint: sink.url } };
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ ...configuration(variant, context, port), ...traces }));
  const started = startPinned({
    cores: context.cores,
    command: process.execPath,
    args: ["--conditions=@proj/source", entryOf(variant) ?? "", "--config", file],
    environment: { SERVICE_GATEWAY_LOG_PATH: join(context.folder, "gateway.log") },
    folder: context.folder,
  });
  await untilAnswering(started, port, "/readyz");
  return {
    port,
    pid: started.pid,
    path: variant.bound ? "/v1/sessions/{session}/chat/completions" : UPSTREAM_PATH,
    ...(variant.bound ? { database: databaseOf(context) } : {}),
    stop: async () => {
      await started.stop(10_000);
      await sink?.stop();
    },
  };
}

const databaseOf = ({ folder }: RowContext): string => join(folder, "gateway.db");

/** Everything that matters to the measurement is at its default, except for file paths and room for 10,000 streams. */
function configuration(variant: GatewayVariant, context: RowContext, port: number): object {
  return {
    listen_host: "127.0.0.1",
    listen_port: port,
    telemetry: {
      mode: "strict",
      capture_payload: "full",
      redact_sensitive_fields: true,
      queue_max_rows: 16_384,
    },
    request_log: {
      enabled: variant.bound,
      path: join(context.folder, "gateway_requests.jsonl"),
    },
    storage_config: {
      db_url: `sqlite://${databaseOf(context)}`,
      synchronous: variant.synchronous ?? "full",
    },
    llm_routes: variant.llm_routes ?? {
      "bench-model": {
        base_url: `http://127.0.0.1:${context.upstream.port}/v1`,
        api_key: "bench",
        max_concurrency: 16_384,
      },
    },
  };
}

const MAIN = import.meta.resolve("../upstream/trace-sink-main.ts");

interface TraceSink {
  /** Base URL for OTLP/HTTP. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** In a process of its own, away from the core of the server under test. */
async function startTraceSink(cores: string | null): Promise<TraceSink> {
  const { port, process: started } = await startServer(MAIN, cores);
  return { url: `http://127.0.0.1:${port}`, stop: () => started.stop() };
}
