import { runPipelineBench } from "@proj/gateway-core/bench/pipeline";
import { runScannerBench } from "@proj/gateway-core/bench/scanner";
import { runClientsBench } from "../clients/clients-bench.ts";
import { runEndingsBench } from "../clients/endings-bench.ts";
import { runEngineBench } from "../engine/engine-bench.ts";
import { runGatewayBench } from "../gateway/gateway-bench.ts";
import { generateEvents } from "../points/generate-events.ts";
import { runPointsBench } from "../points/points-bench.ts";
import { runRoutingBench } from "../routing/routing-bench.ts";
import { runStorms, STORM_NAMES } from "../storms/storms-bench.ts";
import { runTradingSoak } from "../trading/trading-soak.ts";
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
    case "engine":
      return runEngineBench(wholeNumber(values.repetitions ?? "40", "--repetitions"), values.force);
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
    case "storms":
      return runStorms({
        storms: list(values.storms).map((name) => member(STORM_NAMES, name, "--storms")),
        requests: wholeNumber(values.requests, "--requests"),
        kills: wholeNumber(values.kills, "--kills"),
        races: wholeNumber(values.races, "--races"),
        simulations: wholeNumber(values.simulations, "--simulations"),
        seed: wholeNumber(values.seed, "--seed"),
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
