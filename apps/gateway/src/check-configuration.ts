import { checkSentence } from "@proj/deprecation-feed/consumer";
import { checkLive, type LiveCheck, probeEngines } from "@proj/gateway-core";
import {
  type EngineFinding,
  type EngineProbeBody,
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
  readonly json: boolean;
}

export async function checkConfiguration(
  { config: path, deprecations: feed, live, json }: CheckOptions,
  signal: AbortSignal,
): Promise<number> {
  const config = loadConfig(path);
  const routes = Object.keys(config.llm_routes).length;
  if (!json) process.stdout.write(stringify(maskedConfig(config)));
  console.error(`${path} is valid: ${routes} ${routes === 1 ? "route" : "routes"}.`);
  for (const question of questionableSettings(config)) console.error(`warning: ${question}`);
  const upstreams = live ? await checkLive(config.llm_routes, { signal }) : [];
  const engines = live ? await probeEngines(config.llm_routes, { signal }) : [];
  for (const line of [...upstreams.flatMap(upstreamLines), ...engines.flatMap(engineLines)])
    console.error(line);
  if (json)
    console.log(
      JSON.stringify({ config: maskedConfig(config), ...(live && { upstreams, engines }) }),
    );
  const answers = [
    ...upstreams.map(({ problem }) => problem !== null),
    ...findingsOf(engines).map(({ level }) => level === "failed"),
  ];
  const models = feed === null ? exitCode.done : await askFeed(config, feed, signal);
  return answers.includes(true) ? exitCode.no : models;
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

function upstreamLines({ route, upstream, problem, unpriced }: LiveCheck): readonly string[] {
  const told = problem === null ? " gave a token" : `: ${problem}`;
  const warnings = unpriced.map((sentence) => `warning: ${sentence}`);
  return [`${problem === null ? "✓" : "✗"} ${route} at ${upstream}${told}`, ...warnings];
}

const engineLines = ({ model, upstreams }: EngineProbeBody): readonly string[] =>
  upstreams.flatMap(({ upstream, findings }) =>
    findings.map(
      ({ check, level, message }) =>
        `${marks[level]} ${model} at ${upstream}: ${check}: ${message}`,
    ),
  );

const marks: Readonly<Record<EngineFinding["level"], string>> = {
  ok: "✓",
  warning: "!",
  failed: "✗",
};

const findingsOf = (engines: readonly EngineProbeBody[]): readonly EngineFinding[] =>
  engines.flatMap(({ upstreams }) => upstreams.flatMap(({ findings }) => findings));
