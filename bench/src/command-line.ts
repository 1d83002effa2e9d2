import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { runScannerBench } from "@proj/gateway-core/bench/scanner";
import { runClientsBench } from "./clients/clients-bench.ts";
import { runConsoleBench } from "./console/console-bench.ts";
import { runCrowdBench } from "./crowd/crowd-bench.ts";
import { runEventLoopBench } from "./event-loop-bench.ts";
import { runExportsBench } from "./exports/exports-bench.ts";
import { runGatewayBench } from "./gateway/gateway-bench.ts";
import {
  FULL_RUN,
  type GatewayBenchOptions,
  PEER_RUN,
  QUICK_PEER_RUN,
  QUICK_RUN,
} from "./gateway/gateway-bench-options.ts";
import { GROWTHS, runGrowthBench } from "./growth/growth-bench.ts";
import { HELP } from "./help.ts";
import { runHistoriesBench } from "./histories/histories-bench.ts";
import { runLauncherBench } from "./launcher/launcher-bench.ts";
import { BODY_NAMES, type BodyName } from "./load/load-protocol.ts";
import { runMemoryBench } from "./memory-bench.ts";
import { generateEvents } from "./points/generate-events.ts";
import { runPointsBench } from "./points/points-bench.ts";
import { runRoutingBench } from "./routing/routing-bench.ts";
import { ROWS } from "./servers/rows.ts";
import { runStorageBench } from "./storage/storage-bench.ts";
import { runStorms, STORM_NAMES } from "./storms/storms-bench.ts";
import { runTradingSoak } from "./trading/soak/trading-soak.ts";
import { runTradingBench } from "./trading/trading-bench.ts";
import { runWorkersBench } from "./workers/workers-bench.ts";

const OPTIONS = {
  quick: { type: "boolean", default: false },
  force: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
  peers: { type: "boolean", default: false },
  "no-streams": { type: "boolean", default: false },
  "write-readme": { type: "boolean", default: false },
  rows: { type: "string" },
  of: { type: "string" },
  bodies: { type: "string" },
  connections: { type: "string" },
  repetitions: { type: "string" },
  window: { type: "string" },
  json: { type: "string" },
  streams: { type: "string" },
  file: { type: "string" },
  addresses: { type: "string", default: "1000000" },
  minutes: { type: "string", default: "5" },
  seconds: { type: "string", default: "9" },
  "market-minutes": { type: "string", default: "60" },
  bots: { type: "string", default: "20" },
  seed: { type: "string", default: "1" },
  storms: { type: "string" },
  requests: { type: "string", default: "5000" },
  kills: { type: "string", default: "5" },
  races: { type: "string", default: "200" },
  simulations: { type: "string", default: "40" },
  steps: { type: "string", default: "100000" },
  sessions: { type: "string", default: "1000" },
} as const;

class UsageError extends Error {}

/** Runs what the arguments ask for and returns the exit status; 64 if they are wrong. */
export async function run(args: readonly string[]): Promise<number> {
  try {
    return await dispatch(args);
  } catch (error) {
    if (!(error instanceof UsageError || isParseError(error))) throw error;
    console.error(`${error.message}\n\n${HELP}`);
    return 64;
  }
}

async function dispatch(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: OPTIONS,
    allowPositionals: true,
  });
  const [measurement, ...rest] = positionals;
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  if (rest.length > 0) throw new UsageError(`one measurement at a time: ${positionals.join(" ")}`);
  switch (measurement) {
    case "gateway":
      return runGatewayBench(gatewayOptions(values));
    case "clients":
      return runClientsBench({ writesPage: values["write-readme"] });
    case "console":
      return runConsoleBench({
        sessions: wholeNumber(values.sessions, "--sessions"),
        repetitions: wholeNumber(values.repetitions ?? "5", "--repetitions"),
        windowMs: wholeNumber(values.window ?? "10000", "--window"),
        force: values.force,
      });
    case "crowd":
      return runCrowdBench({
        repetitions: wholeNumber(values.repetitions ?? "5", "--repetitions"),
        windowMs: wholeNumber(values.window ?? "1000", "--window"),
        force: values.force,
      });
    case "event-loop":
      return runEventLoopBench(wholeNumber(values.seconds, "--seconds"), values.force);
    case "exports":
      return runExportsBench({
        steps: wholeNumber(values.steps, "--steps"),
        repetitions: wholeNumber(values.repetitions ?? "3", "--repetitions"),
        force: values.force,
      });
    case "growth": {
      const of = list(values.of).map((name) => member(GROWTHS, name, "--of"));
      return runGrowthBench({
        of: of.length > 0 ? of : GROWTHS,
        quick: values.quick,
        force: values.force,
        writesCharts: values["write-readme"],
      });
    }
    case "histories":
      return runHistoriesBench({
        repetitions: wholeNumber(values.repetitions ?? "5", "--repetitions"),
        force: values.force,
      });
    case "launcher":
      return runLauncherBench({
        repetitions: wholeNumber(values.repetitions ?? "3", "--repetitions"),
        force: values.force,
      });
    case "memory": {
      const [name = "1k"] = list(values.bodies);
      const body = member(BODY_NAMES, name, "--bodies");
      return runMemoryBench(wholeNumber(values.minutes, "--minutes"), body, values.force);
    }
    case "points":
      return runPointsBench({
        addresses: wholeNumber(values.addresses, "--addresses"),
        windowMs: wholeNumber(values.window ?? "8000", "--window"),
        force: values.force,
      });
    case "points-data": {
      if (values.file === undefined) throw new UsageError("points-data needs --file");
      await generateEvents(fromCaller(values.file), wholeNumber(values.addresses, "--addresses"));
      return 0;
    }
    case "routing":
      return runRoutingBench({
        repetitions: wholeNumber(values.repetitions ?? "30", "--repetitions"),
        windowMs: wholeNumber(values.window ?? "300", "--window"),
        force: values.force,
      });
    case "scanner":
      await runScannerBench();
      return 0;
    case "storage":
      return runStorageBench({
        repetitions: wholeNumber(values.repetitions ?? "5", "--repetitions"),
        windowMs: wholeNumber(values.window ?? "1000", "--window"),
        force: values.force,
      });
    case "storms":
      return runStorms({
        storms: list(values.storms).map((name) => member(STORM_NAMES, name, "--storms")),
        requests: wholeNumber(values.requests, "--requests"),
        kills: wholeNumber(values.kills, "--kills"),
        races: wholeNumber(values.races, "--races"),
        simulations: wholeNumber(values.simulations, "--simulations"),
        seed: wholeNumber(values.seed, "--seed"),
      });
    case "trading":
      return runTradingBench({
        repetitions: wholeNumber(values.repetitions ?? "5", "--repetitions"),
        windowMs: wholeNumber(values.window ?? "2000", "--window"),
        force: values.force,
      });
    case "trading-soak":
      return runTradingSoak({
        minutes: wholeNumber(values["market-minutes"], "--market-minutes"),
        bots: wholeNumber(values.bots, "--bots"),
        seed: wholeNumber(values.seed, "--seed"),
      });
    case "workers":
      return runWorkersBench({
        repetitions: wholeNumber(values.repetitions ?? "5", "--repetitions"),
        windowMs: wholeNumber(values.window ?? "2000", "--window"),
        force: values.force,
      });
    default:
      throw new UsageError(
        measurement === undefined ? "which measurement?" : `no such measurement: ${measurement}`,
      );
  }
}

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>["values"];

function gatewayOptions(values: Values): GatewayBenchOptions {
  const base = gatewayRun(values.quick, values.peers);
  const bodies = list(values.bodies).map((name) => member(BODY_NAMES, name, "--bodies"));
  const connections = list(values.connections).map((text) => wholeNumber(text, "--connections"));
  const names = ROWS.map(({ name }) => name);
  const rows = list(values.rows).map((name) => member(names, name, "--rows"));
  const { repetitions } = values;
  const windowMs =
    values.window === undefined ? base.windowMs : wholeNumber(values.window, "--window");
  return {
    ...base,
    force: values.force,
    rows: rows.length > 0 ? rows : base.rows,
    bodies: bodies.length > 0 ? bodies : base.bodies,
    connections: connections.length > 0 ? connections : base.connections,
    windowMs,
    repetitions: repetitions === undefined ? base.repetitions : sameForAll(repetitions),
    streams: values["no-streams"] ? null : streamsOf(base, values.streams),
    // The bounds apply to a thousand streams.
    checksBounds: base.checksBounds && values.streams === undefined,
    jsonFile: values.json === undefined ? null : fromCaller(values.json),
    writeReadme: values["write-readme"],
  };
}

function gatewayRun(quick: boolean, peers: boolean): GatewayBenchOptions {
  if (peers) return quick ? QUICK_PEER_RUN : PEER_RUN;
  return quick ? QUICK_RUN : FULL_RUN;
}

function streamsOf(
  { streams }: GatewayBenchOptions,
  count: string | undefined,
): GatewayBenchOptions["streams"] {
  if (streams === null || count === undefined) return streams;
  return { ...streams, count: wholeNumber(count, "--streams"), requiredOnly: false };
}

function sameForAll(text: string): Record<BodyName, number> {
  const count = wholeNumber(text, "--repetitions");
  return { "1k": count, "200k": count, "1m": count, stream: count };
}

/** npm changes the working directory to the workspace's root; file names are relative to the user's folder. */
function fromCaller(file: string): string {
  return resolve(process.env.INIT_CWD ?? ".", file);
}

function list(text: string | undefined): string[] {
  return text === undefined ? [] : text.split(",").filter((item) => item !== "");
}

function member<T extends string>(known: readonly T[], name: string, option: string): T {
  const found = known.find((item) => item === name);
  if (found === undefined)
    throw new UsageError(`${option}: no "${name}"; there are ${known.join(", ")}`);
  return found;
}

function wholeNumber(text: string, option: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) {
    throw new UsageError(`${option}: "${text}" is not a whole number above 0`);
  }
  return number;
}

function isParseError(error: unknown): error is Error {
  const code = error instanceof Error && "code" in error ? error.code : "";
  return typeof code === "string" && code.startsWith("ERR_PARSE_ARGS");
}
