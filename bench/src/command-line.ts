import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { runScannerBench } from "@proj/gateway-core/bench/scanner";
import { runClientsBench } from "./clients/clients-bench.ts";
import { runEventLoopBench } from "./event-loop-bench.ts";
import { runExportsBench } from "./exports/exports-bench.ts";
import { runGatewayBench } from "./gateway/gateway-bench.ts";
import { FULL_RUN, type GatewayBenchOptions, QUICK_RUN } from "./gateway/gateway-bench-options.ts";
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

const HELP = `Usage: npm run bench -- <measurement> [options]

  gateway      speed of the gateway next to bare proxies and other gateways (under 10 minutes)
    --quick                 under 90 seconds; finds what is badly wrong, proves nothing
    --rows a,b              of ${ROWS.map(({ name }) => name).join(", ")}
    --bodies a,b            of ${BODY_NAMES.join(", ")}
    --connections 1,16,64
    --repetitions N         rounds of each cell
    --window MS             length of a round
    --no-streams            without the 1,000 streams at once
    --json FILE             the figures, beside the file in bench/results/
    --write-readme          put the tables into bench/README.md
  clients      SDKs and frameworks, as they are, against sessions; exit status 1 where one does not work
    --write-readme          put the table into docs/agents.md
  event-loop   event-loop delay with 1 MB bodies, telemetry on and off (--seconds 9 each)
  exports      training sequences of growing histories next to single steps: speed, and memory by size
    --steps N               (100000)
    --repetitions N         exports (3)
  histories    histories stored once next to whole rows: on disk, the last step, an export
    --repetitions N         exports (5)
  launcher     the launcher's own CPU with 500 simulations, 50 at once, 20 steps each
    --repetitions N         jobs (3)
  memory       memory after the first and after the last minute (--minutes 5, --bodies 1k)
  points       import, snapshots and pages of a ranking, next to COUNT(*) and OFFSET
    --addresses N           (1000000)
    --window MS             length of a round of requests (8000)
  points-data  generates the events that \`points\` imports, as JSON Lines
    --file FILE             where they go
    --addresses N           (1000000)
  routing      the resource router next to a bare handler, Express and find-my-way
    --repetitions N         rounds of each server (30)
    --window MS             length of a round (300)
  scanner      the scanner that routes, next to JSON.parse
  storage      rows and bound requests with PostgreSQL next to SQLite, and one and two gateways
               behind HAProxy
    --repetitions N         rounds (5)
    --window MS             length of a round (1000)
  storms       faults repeated under load, and what holds afterwards; exit status 1 where something does not
    --storms a,b            of ${STORM_NAMES.join(", ")}
    --requests N            of the storm of cancelled requests (5000)
    --kills N               of a process, in each storm that kills one (5)
    --races N               of a close with its session's requests (200)
    --simulations N         of the job whose launcher is killed (40)
    --seed N                (1)
  trading      pushed prices, the trading client and orders, next to plain socket.io 2.5
    --repetitions N         rounds (5)
    --window MS             length of a round of pushes (2000)
  trading-soak an hour of market at full speed, 20 bots, a fault each second of market time:
               no order or trade lost, no rejection unhandled, memory flat
    --market-minutes N      of market time (60)
    --bots N                (20)
    --seed N                of faults and bots (1)

  --force      measure although the machine is busy
  --help
`;

const OPTIONS = {
  quick: { type: "boolean", default: false },
  force: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
  "no-streams": { type: "boolean", default: false },
  "write-readme": { type: "boolean", default: false },
  rows: { type: "string" },
  bodies: { type: "string" },
  connections: { type: "string" },
  repetitions: { type: "string" },
  window: { type: "string" },
  json: { type: "string" },
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
} as const;

class UsageError extends Error {}

/** Runs what the arguments ask for and returns the exit status; 64 where they are wrong. */
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
    case "event-loop":
      return runEventLoopBench(wholeNumber(values.seconds, "--seconds"), values.force);
    case "exports":
      return runExportsBench({
        steps: wholeNumber(values.steps, "--steps"),
        repetitions: wholeNumber(values.repetitions ?? "3", "--repetitions"),
        force: values.force,
      });
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
    default:
      throw new UsageError(
        measurement === undefined ? "which measurement?" : `no such measurement: ${measurement}`,
      );
  }
}

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>["values"];

function gatewayOptions(values: Values): GatewayBenchOptions {
  const base = values.quick ? QUICK_RUN : FULL_RUN;
  const bodies = list(values.bodies).map((name) => member(BODY_NAMES, name, "--bodies"));
  const connections = list(values.connections).map((text) => wholeNumber(text, "--connections"));
  const names = ROWS.map(({ name }) => name);
  const { repetitions } = values;
  const windowMs =
    values.window === undefined ? base.windowMs : wholeNumber(values.window, "--window");
  return {
    ...base,
    force: values.force,
    rows: list(values.rows).map((name) => member(names, name, "--rows")),
    bodies: bodies.length > 0 ? bodies : base.bodies,
    connections: connections.length > 0 ? connections : base.connections,
    windowMs,
    repetitions: repetitions === undefined ? base.repetitions : sameForAll(repetitions),
    streams: values["no-streams"] ? null : base.streams,
    jsonFile: values.json === undefined ? null : fromCaller(values.json),
    writeReadme: values["write-readme"],
  };
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
