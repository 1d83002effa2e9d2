import { runPipelineBench } from "@proj/gateway-core/bench/pipeline";
import { runScannerBench } from "@proj/gateway-core/bench/scanner";
import { runClientsBench } from "../clients/clients-bench.ts";
import { runEndingsBench } from "../clients/endings-bench.ts";
import { runConsoleBench } from "../console/console-bench.ts";
import { runEngineBench } from "../engine/engine-bench.ts";
import { runGatewayBench } from "../gateway/gateway-bench.ts";
import { GROWTHS, runGrowthBench } from "../growth/growth-bench.ts";
import { generateEvents } from "../points/generate-events.ts";
import { runPointsBench } from "../points/points-bench.ts";
import { runRoutingBench } from "../routing/routing-bench.ts";
import { runSizingBench } from "../sizing/sizing-bench.ts";
import { runStorageBench } from "../storage/storage-bench.ts";
import { runStorms, STORM_NAMES } from "../storms/storms-bench.ts";
import { runTradingSoak } from "../trading/soak/trading-soak.ts";
import { runTradingBench } from "../trading/trading-bench.ts";
import { gatewayOptions } from "./gateway-options.ts";
import { HELP } from "./help.ts";
import { fromCaller, list, member, UsageError, wholeNumber } from "./option-values.ts";
import { isParseError, parseArguments } from "./options.ts";

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
  const { values, positionals } = parseArguments(args);
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
    case "endings":
      return runEndingsBench({ writesPage: values["write-readme"], of: list(values.of) });
    case "console":
      return runConsoleBench({
        sessions: wholeNumber(values.sessions, "--sessions"),
        repetitions: wholeNumber(values.repetitions ?? "5", "--repetitions"),
        windowMs: wholeNumber(values.window ?? "10000", "--window"),
        force: values.force,
      });
    case "engine":
      return runEngineBench(wholeNumber(values.repetitions ?? "40", "--repetitions"), values.force);
    case "growth": {
      const of = list(values.of).map((name) => member(GROWTHS, name, "--of"));
      return runGrowthBench({
        of: of.length > 0 ? of : GROWTHS,
        quick: values.quick,
        force: values.force,
        writesCharts: values["write-readme"],
      });
    }
    case "pipeline":
      await runPipelineBench();
      return 0;
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
    case "sizing":
      return runSizingBench({
        rollouts: wholeNumber(values.rollouts, "--rollouts"),
        isPostgres: values.postgres,
      });
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
