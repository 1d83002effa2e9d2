import { resolve } from "node:path";
import { runPipelineBench } from "@proj/gateway-core/bench/pipeline";
import { runScannerBench } from "@proj/gateway-core/bench/scanner";
import {
  type CommandDefinition,
  defineCommand,
  exitCode,
  flag,
  type LoadCommand,
  type Options,
  type Program,
  repeated,
  required,
} from "@proj/program";
import { runClientsBench } from "../clients/clients-bench.ts";
import { runEndingsBench } from "../clients/endings-bench.ts";
import { runEngineBench } from "../engine/engine-bench.ts";
import { generateEvents } from "../points/generate-events.ts";
import { runPointsBench } from "../points/points-bench.ts";
import { runRoutingBench } from "../routing/routing-bench.ts";
import { runStorms, STORM_NAMES } from "../storms/storms-bench.ts";
import { runTradingSoak } from "../trading/trading-soak.ts";
import { gateway } from "./gateway.ts";
import { count, force, listOf, window } from "./options.ts";

const measurement = <const O extends Options>(
  definition: CommandDefinition<O, null>,
): LoadCommand => {
  const command = defineCommand({ no: "a bound was missed, or a check failed", ...definition });
  return async () => command;
};

const writesAgents = flag("put the table into docs/agents.md");

/** What `npm run bench` runs. */
export const bench: Program = {
  name: "bench",
  // The bench is not released: its version is that of the gateway which it measures.
  manifest: new URL("../../../apps/gateway/package.json", import.meta.url),
  about: "Side-by-side measurements; see bench/README.md.",
  commands: {
    gateway: async () => gateway,
    clients: measurement({
      name: "clients",
      summary: "unmodified SDKs and frameworks against sessions",
      options: { "write-readme": writesAgents },
      run: ({ options }) => runClientsBench({ writesPage: options["write-readme"] }),
    }),
    endings: measurement({
      name: "endings",
      summary:
        "requests of the programs on the PATH after a closed session and a spent budget (a minute each)",
      options: {
        of: repeated("NAME", "only this one of the launcher's recipes"),
        "write-readme": writesAgents,
      },
      run: ({ options: { of, "write-readme": writesPage } }) => runEndingsBench({ writesPage, of }),
    }),
    engine: measurement({
      name: "engine",
      summary:
        "what a step on a route with an engine adds to the engine's own time, by the length of its history (half a minute, or up to three)",
      options: { repetitions: count("steps of each", 40), force },
      run: ({ options }) => runEngineBench(options.repetitions, options.force),
    }),
    pipeline: measurement({
      name: "pipeline",
      summary: "the event loop's CPU for each stage of a step, without sockets (under a minute)",
      options: {},
      run: () => runPipelineBench().then(() => exitCode.done),
    }),
    points: measurement({
      name: "points",
      summary: "import, snapshots and pages of a ranking",
      options: { addresses: count("of the ranking", 1_000_000), window: window(8_000), force },
      run: ({ options: { window: windowMs, ...options } }) =>
        runPointsBench({ ...options, windowMs }),
    }),
    "points-data": measurement({
      name: "points-data",
      summary: "generates the events that points imports, as JSON Lines",
      options: {
        file: required("FILE", "where to write them", { completion: "files" }),
        addresses: count("that they are of", 1_000_000),
      },
      run: async ({ options: { file, addresses } }) => {
        await generateEvents(resolve(process.env.INIT_CWD ?? ".", file), addresses);
        return exitCode.done;
      },
    }),
    routing: measurement({
      name: "routing",
      summary: "the resource router next to a bare handler, Express and find-my-way",
      options: { repetitions: count("rounds of each server", 30), window: window(300), force },
      run: ({ options: { window: windowMs, ...options } }) =>
        runRoutingBench({ ...options, windowMs }),
    }),
    scanner: measurement({
      name: "scanner",
      summary: "the scanner that routes, next to JSON.parse",
      options: {},
      run: () => runScannerBench().then(() => exitCode.done),
    }),
    storms: measurement({
      name: "storms",
      summary: "faults repeated under load, and what holds afterwards",
      options: {
        storms: listOf("only these", STORM_NAMES),
        requests: count("in the storm of cancelled requests", 5_000),
        kills: count("in each storm that kills a process", 5),
        races: count("between a close and its session's requests", 200),
        simulations: count("in the job whose launcher is killed", 40),
        seed: count("of what is drawn", 1),
      },
      run: ({ options: { storms, ...sizes } }) => runStorms({ ...sizes, storms: storms ?? [] }),
    }),
    "trading-soak": measurement({
      name: "trading-soak",
      summary:
        "an hour of market time, 20 bots, a fault in each of its seconds: no order or trade lost, no rejection unhandled, memory flat",
      options: {
        "market-minutes": count("of market time", 60),
        bots: count("that trade", 20),
        seed: count("of faults and bots", 1),
      },
      run: ({ options: { "market-minutes": minutes, ...options } }) =>
        runTradingSoak({ ...options, minutes }),
    }),
  },
};
