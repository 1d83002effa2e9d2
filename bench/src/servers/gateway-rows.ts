import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "@proj/test-kit";
import { firstMessage, portOf, startPinned } from "../machine/pinned-process.ts";
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
  /** The API's path. @default "chat/completions" */
  readonly api?: "messages";
  /** Whether it sends traces to a receiver, which runs beside the upstream. @default false */
  readonly traced?: boolean;
  /** Makes the storage's part of the configuration, and the storage if needed. */
  readonly storage: (context: RowContext) => object | Promise<object>;
  /** Additional arguments of the program. @default none */
  readonly args?: readonly string[];
  /** The working copy whose gateway runs. @default this one */
  readonly workspace?: string;
}

const sqlite =
  (synchronous: "full" | "normal") =>
  ({ folder }: RowContext): object => ({
    storage_config: { db_url: `sqlite://${join(folder, "gateway.db")}`, synchronous },
  });

export const gatewayUnboundRow: ServerRow = gatewayRow({
  name: "gateway-unbound",
  description: "this gateway's unbound endpoint, request log off",
  bound: false,
  storage: sqlite("full"),
});

export const gatewayBoundRow: ServerRow = gatewayRow({
  name: "gateway-bound",
  description:
    "64 sessions; strict telemetry in SQLite, FULL, whole payloads, redaction, request log",
  bound: true,
  storage: sqlite("full"),
});

export const gatewayBoundNormalRow: ServerRow = gatewayRow({
  name: "gateway-bound-normal",
  description: "the same with `synchronous: normal`",
  bound: true,
  storage: sqlite("normal"),
});

export const gatewayBoundMessagesRow: ServerRow = gatewayRow({
  name: "gateway-bound-messages",
  description: "as gateway-bound, asked for Anthropic's messages",
  bound: true,
  api: "messages",
  storage: sqlite("full"),
});

export const gatewayBoundTracedRow: ServerRow = gatewayRow({
  name: "gateway-bound-traced",
  description: "gateway-bound with traces over OTLP to a receiver that reads and forgets them",
  bound: true,
  traced: true,
  storage: sqlite("full"),
});

/**
 * The rows of another working copy's gateway, such as an older commit's, measured in the same run.
 * @param workspace its root, with its dependencies installed
 */
export function rowsBefore(workspace: string): ServerRow[] {
  const storage = sqlite("full");
  return [
    gatewayRow({
      name: "before-unbound",
      description: `gateway-unbound of ${workspace}`,
      bound: false,
      storage,
      workspace,
    }),
    gatewayRow({
      name: "before-bound",
      description: `gateway-bound of ${workspace}`,
      bound: true,
      storage,
      workspace,
    }),
  ];
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
  // JSON is YAML.
  const storage = await variant.storage(context);
  const sink = variant.traced === true ? await startTraceSink(context.upstream.cores) : null;
  const traces = sink === null ? {} : { opentelemetry: { enabled: true, endpoint: sink.url } };
  writeFileSync(
    file,
    JSON.stringify({ ...configuration(variant, context, port), ...storage, ...traces }, null, 2),
  );
  const preload = (context.preload ?? []).flatMap((module) => ["--import", module]);
  const started = startPinned({
    cores: context.cores,
    command: process.execPath,
    args: [
      "--conditions=@proj/source",
      ...(context.nodeOptions ?? []),
      ...preload,
      entryOf(variant) ?? "",
      "--config",
      file,
      ...(variant.args ?? []),
    ],
    environment: {
      ...context.environment,
      SERVICE_GATEWAY_LOG_PATH: join(context.folder, "gateway.log"),
    },
    folder: context.folder,
  });
  await untilAnswering(started, port, "/readyz");
  const database = join(context.folder, "gateway.db");
  return {
    port,
    pid: started.pid,
    path: variant.bound
      ? `/v1/sessions/{session}/${variant.api ?? "chat/completions"}`
      : UPSTREAM_PATH,
    headers: "",
    // The length of another API's answers is taken from the first one.
    relaysBytes: variant.api === undefined,
    ...(variant.bound && existsSync(database) ? { database } : {}),
    stop: async () => {
      await started.stop(10_000);
      await sink?.stop();
    },
  };
}

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
    llm_routes: {
      "bench-model": {
        base_url: `http://127.0.0.1:${context.upstream.port}/v1`,
        api_key: "bench",
        max_concurrency: 16_384,
        ...(variant.api === "messages" ? { endpoints: ["messages"] } : {}),
      },
    },
  };
}

const MAIN = fileURLToPath(import.meta.resolve("../upstream/trace-sink-main.ts"));

interface TraceSink {
  /** Base URL for OTLP/HTTP. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** In a process of its own, away from the core of the server under test. */
async function startTraceSink(cores: string | null): Promise<TraceSink> {
  const started = startPinned({ cores, command: process.execPath, args: [MAIN], ipc: true });
  const port = await firstMessage(started, portOf);
  return { url: `http://127.0.0.1:${port}`, stop: () => started.stop() };
}
