import { randomUUID } from "node:crypto";
import {
  type AgentRuntime,
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
import { fromOption } from "./from-option.ts";
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
  { runtime, agent, timeouts }: RunOptions,
  signal: AbortSignal,
): Promise<AgentRuntime> {
  if ("url" in runtime) return fromOption("runtime-url", () => httpRuntime(runtime.url));
  if ("taskAgent" in runtime) throw new TypeError("an agent of tasks needs tasks");
  const options = await agentCommandOptions(agent, timeouts.simulationMs);
  const isRecipe = "answer_file" in runtime;
  if (!isRecipe) requireWholePaths(runtime.command, options);
  if (needsCheck(options)) {
    const { workdirs } = agent;
    const folder =
      workdirs === null ? undefined : keptFolders(workdirs).of(`check-${randomUUID()}`);
    await checkAgentCommand(options, signal, folder).catch((error: Error) => {
      signal.throwIfAborted();
      throw new UsageError(error.message);
    });
  }
  return isRecipe ? recipeRuntime(runtime, options) : commandRuntime(runtime.command, options);
}
