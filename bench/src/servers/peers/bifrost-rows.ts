import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { freePort } from "@proj/test-kit";
import { startPinned } from "../../machine/pinned-process.ts";
import type { RowContext, RunningServer, ServerRow } from "../server-row.ts";
import { untilAnswering } from "../until-answering.ts";
import { type InstallStep, installPeer, peerFolder, runStep } from "./install.ts";

const VERSION = "v1.6.0";
const MODULE = `github.com/maximhq/bifrost/transports@${VERSION}`;
/**
 * The proxy lacks some of the modules that belong to this version, so these take their place. None of them is switched
 * on in a measurement, and `mocker` is for tests.
 */
const SUBSTITUTES = [
  "mocker@v1.5.19",
  "compat@v0.1.8",
  "modelcatalogresolver@v1.0.12",
  "otel@v1.2.9",
  "prompts@v1.0.31",
];
/** The only call that a substitute does not have; without that plugin it is not reached. */
const MISSING_CALL = "otelPlugin.RecordHTTPMetrics(";
const LONGEST_START_MS = 60_000;

export const bifrostRow: ServerRow = bifrostRowOf({
  name: "bifrost",
  description: `Bifrost ${VERSION} (Go), its log off; plugins that are not used are of other versions`,
  records: "nothing",
  logs: false,
});

export const bifrostLogRow: ServerRow = bifrostRowOf({
  name: "bifrost-log",
  description:
    "the same with its log in SQLite, contents included, which it writes beside the answers",
  records: "later or lossily",
  logs: true,
});

interface Variant extends Pick<ServerRow, "name" | "description" | "records"> {
  readonly logs: boolean;
}

function bifrostRowOf({ logs, ...row }: Variant): ServerRow {
  return {
    ...row,
    reasonMissing: () => installPeer("bifrost", MODULE, installSteps),
    start: (context) => start(logs, context),
  };
}

/** Builds a copy of the module from the Go proxy, which lacks the embedded pages. */
async function* installSteps(folder: string): AsyncGenerator<InstallStep> {
  // The checksum database lacks some versions that the proxy has.
  const environment = { GONOSUMDB: "github.com/maximhq/*", GOFLAGS: "-mod=mod" };
  const download = { command: "go", args: ["mod", "download", "-json", MODULE], environment };
  const { Dir } = JSON.parse(await runStep(folder, download)) as { Dir: string };
  const source = join(folder, "source");
  rmSync(source, { recursive: true, force: true });
  cpSync(Dir, source, { recursive: true });
  yield { command: "chmod", args: ["-R", "u+w", "source"] };
  mkdirSync(join(source, "bifrost-http/ui"), { recursive: true });
  writeFileSync(join(source, "bifrost-http/ui/index.html"), "");
  const server = join(source, "bifrost-http/server/server.go");
  const code = readFileSync(server, "utf8");
  writeFileSync(server, code.replace(MISSING_CALL, "_ = otelPlugin; func(...any) {}("));
  yield { command: "go", args: ["mod", "edit", ...pins(source)], folder: source, environment };
  yield {
    command: "go",
    args: ["build", "-o", "../bifrost-http", "./bifrost-http"],
    folder: source,
    environment,
  };
}

/** Also holds the other modules at their versions: the substitutes would ask for newer ones. */
function pins(source: string): string[] {
  const required = readFileSync(join(source, "go.mod"), "utf8").matchAll(
    /^\s+(github\.com\/maximhq\/bifrost\/(\S+)) (v\S+)/gm,
  );
  return [...required].map(([, path = "", name = "", version = ""]) => {
    const substitute = SUBSTITUTES.find((each) => `plugins/${each}`.startsWith(`${name}@`));
    const wanted = substitute?.split("@")[1] ?? version;
    return `-replace=${path}=${path}@${wanted}`;
  });
}

async function start(logs: boolean, context: RowContext): Promise<RunningServer> {
  const { upstream, cores, folder } = context;
  const port = await freePort();
  const empty = join(folder, "empty.json");
  writeFileSync(empty, "{}");
  const configured = configuration(upstream.port, logs, pathToFileURL(empty).href);
  writeFileSync(join(folder, "config.json"), JSON.stringify(configured));
  const options = ["-app-dir", folder, "-host", "127.0.0.1", "-port", String(port)];
  const started = startPinned({
    cores,
    command: join(peerFolder("bifrost"), "bifrost-http"),
    args: [...options, "-log-level", "error"],
    folder,
  });
  await untilAnswering(started, port, "/health", LONGEST_START_MS);
  return {
    port,
    pid: started.pid,
    // Bifrost's path for OpenAI's API, where a model's name needs no provider prefix.
    path: "/openai/v1/chat/completions",
    headers: "",
    relaysBytes: false,
    answerVaries: true,
    stop: () => started.stop(),
  };
}

/** @param empty URL of an empty JSON object: it reads prices from there, and would otherwise fetch them */
function configuration(upstreamPort: number, logs: boolean, empty: string): object {
  return {
    framework: { pricing: { pricing_url: empty, model_parameters_url: empty } },
    client: {
      enable_logging: logs,
      disable_content_logging: false,
      drop_excess_requests: false,
      initial_pool_size: 1000,
    },
    providers: {
      openai: {
        keys: [{ name: "bench", value: "bench", models: ["*"], weight: 1 }],
        network_config: {
          base_url: `http://127.0.0.1:${upstreamPort}`,
          default_request_timeout_in_seconds: 120,
          max_conns_per_host: 20_000,
        },
        concurrency_and_buffer_size: { concurrency: 12_000, buffer_size: 20_000 },
      },
    },
    config_store: { enabled: false },
    logs_store: logs
      ? { enabled: true, type: "sqlite", config: { path: "./logs.db" } }
      : { enabled: false },
  };
}
