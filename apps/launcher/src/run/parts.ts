import { randomUUID } from "node:crypto";
import {
  type AgentRuntime,
  acpRuntime,
  checkAgentCommand,
  commandRuntime,
  createGatewayClient,
  type GatewayClient,
  httpRuntime,
  keptFolders,
  recipeRuntime,
} from "@proj/launcher-client";
import { UsageError } from "@proj/program";
import type { GatewaySettings } from "../gateway-options.ts";
import { agentCommandOptions, needsCheck, requireWholePaths } from "./agent-options.ts";
import { evaluatorOf } from "./evaluator-options.ts";
import { fromOption } from "./from-option.ts";
import { llmApiKeyOf } from "./key-options.ts";
import type { RunPlan } from "./run-plan.ts";

/** @throws UsageError */
export function gatewayOf(
  options: Pick<GatewaySettings, "gateway-base-url">,
  apiKey: string | null,
): GatewayClient {
  const baseUrl = options["gateway-base-url"];
  return fromOption("gateway-base-url", () => createGatewayClient({ baseUrl, apiKey }));
}

/** @throws UsageError agents cannot be run as requested, or not on this machine */
export async function runtimeOf(
  plan: RunPlan,
  gateway: GatewayClient,
  signal: AbortSignal,
): Promise<AgentRuntime> {
  const { runtime, options: given } = plan;
  if ("url" in runtime) return fromOption("runtime-url", () => httpRuntime(runtime.url));
  if ("taskAgent" in runtime) throw new TypeError("an agent of tasks needs tasks");
  const options = await agentCommandOptions(given, given["simulation-timeout"]);
  if ("command" in runtime && !("answer_file" in runtime))
    requireWholePaths(runtime.command, options);
  if (needsCheck(options)) {
    const { workdirs } = given;
    const folder =
      workdirs === null ? undefined : keptFolders(workdirs).of(`check-${randomUUID()}`);
    const turn = AbortSignal.any([signal, AbortSignal.timeout(given["queue-timeout"])]);
    await checkAgentCommand(options, turn, folder).catch((error: Error) => {
      signal.throwIfAborted();
      throw new UsageError(error.message);
    });
  }
  if ("overAcp" in runtime) {
    const llmApiKey = llmApiKeyOf(plan);
    return fromOption("agent", () =>
      acpRuntime(runtime.overAcp, {
        ...options,
        ...(runtime.policy === null ? {} : { policy: runtime.policy }),
        evaluator: evaluatorOf(given),
        caller: { gateway, llmApiKey },
      }),
    );
  }
  return "answer_file" in runtime
    ? recipeRuntime(runtime, options)
    : commandRuntime(runtime.command, options);
}
