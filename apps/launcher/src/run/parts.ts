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
import { agentCommandOptions, needsCheck, requireWholePaths } from "./agent-options.ts";
import { evaluatorOf } from "./evaluator-options.ts";
import { fromOption } from "./from-option.ts";
import { llmApiKeyOf } from "./key-options.ts";
import type { RunOptions } from "./run-options.ts";

/** @throws UsageError */
export function gatewayOf({
  gatewayBaseUrl,
  gatewayApiKey,
}: Pick<RunOptions, "gatewayBaseUrl" | "gatewayApiKey">): GatewayClient {
  return fromOption("gateway-base-url", () =>
    createGatewayClient({ baseUrl: gatewayBaseUrl, apiKey: gatewayApiKey }),
  );
}

/** @throws UsageError agents cannot be run as requested, or not on this machine */
export async function runtimeOf(
  { runtime, agent, evaluator, ...others }: RunOptions,
  gateway: GatewayClient,
  signal: AbortSignal,
): Promise<AgentRuntime> {
  if ("url" in runtime) return fromOption("runtime-url", () => httpRuntime(runtime.url));
  if ("taskAgent" in runtime) throw new TypeError("an agent of tasks needs tasks");
  const options = await agentCommandOptions(agent, others.timeouts.simulationMs);
  if ("command" in runtime && !("answer_file" in runtime))
    requireWholePaths(runtime.command, options);
  if (needsCheck(options)) {
    const { workdirs } = agent;
    const folder =
      workdirs === null ? undefined : keptFolders(workdirs).of(`check-${randomUUID()}`);
    const turn = AbortSignal.any([signal, AbortSignal.timeout(others.timeouts.queueMs)]);
    await checkAgentCommand(options, turn, folder).catch((error: Error) => {
      signal.throwIfAborted();
      throw new UsageError(error.message);
    });
  }
  if ("overAcp" in runtime) {
    const llmApiKey = llmApiKeyOf({ ...others, ...others.timeouts, agent });
    return fromOption("agent", () =>
      acpRuntime(runtime.overAcp, {
        ...options,
        ...(runtime.policy === null ? {} : { policy: runtime.policy }),
        evaluator: evaluatorOf(evaluator),
        caller: { gateway, llmApiKey },
      }),
    );
  }
  return "answer_file" in runtime
    ? recipeRuntime(runtime, options)
    : commandRuntime(runtime.command, options);
}
