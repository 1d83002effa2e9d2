import { checkSentence } from "@proj/deprecation-feed/consumer";
import { checkLive } from "@proj/gateway-core";
import {
  type GatewayConfig,
  loadConfig,
  maskedConfig,
  questionableSettings,
} from "@proj/gateway-protocol";
import { exitCode } from "@proj/program";
import { stringify } from "yaml";
import { checkDeprecations } from "./deprecations.ts";

export interface CheckOptions {
  readonly config: string;
  readonly deprecations: string | null;
  readonly live: boolean;
}

export async function checkConfiguration(
  { config: path, deprecations: feed, live }: CheckOptions,
  signal: AbortSignal,
): Promise<number> {
  const config = loadConfig(path);
  const routes = Object.keys(config.llm_routes).length;
  process.stdout.write(stringify(maskedConfig(config)));
  console.error(`${path} is valid: ${routes} ${routes === 1 ? "route" : "routes"}.`);
  for (const question of questionableSettings(config)) console.error(`warning: ${question}`);
  const answers = live ? await askUpstreams(config, signal) : exitCode.done;
  const models = feed === null ? exitCode.done : await askFeed(config, feed, signal);
  return answers || models;
}

/** @returns the exit code */
async function askFeed(config: GatewayConfig, feed: string, signal: AbortSignal): Promise<number> {
  const { checks, warnings } = await checkDeprecations(config, feed, signal);
  for (const checked of checks) console.error(checkSentence(checked));
  for (const { message } of warnings) console.error(`warning: ${message}`);
  if (checks.some(({ verdict }) => verdict === "ending")) return exitCode.no;
  // A feed with gaps cannot say that no model ends.
  return warnings.length > 0 ? exitCode.failed : exitCode.done;
}

/** @returns the exit code */
async function askUpstreams(config: GatewayConfig, signal: AbortSignal): Promise<number> {
  const checks = await checkLive(config.llm_routes, { signal });
  for (const { route, upstream, problem, unpriced } of checks) {
    console.error(`${problem === null ? "✓" : "✗"} ${route} at ${upstream}${told(problem)}`);
    for (const sentence of unpriced) console.error(`warning: ${sentence}`);
  }
  return checks.some(({ problem }) => problem !== null) ? exitCode.no : exitCode.done;
}

const told = (problem: string | null): string =>
  problem === null ? " gave a token" : `: ${problem}`;
