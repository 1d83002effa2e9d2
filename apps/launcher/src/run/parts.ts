import { sessionKey } from "@proj/gateway-protocol";
import {
  type AgentRuntime,
  commandEvaluator,
  commandRuntime,
  createGatewayClient,
  type Evaluator,
  type GatewayClient,
  httpEvaluator,
  httpRuntime,
  resultEvaluator,
} from "@proj/launcher-client";
import type { RunOptions } from "../command-line/run-options.ts";
import { UsageError } from "../command-line/usage-error.ts";

/** @throws UsageError */
export function gatewayOf({ gatewayBaseUrl, gatewayApiKey }: RunOptions): GatewayClient {
  return fromOption("gateway-base-url", () =>
    createGatewayClient({ baseUrl: gatewayBaseUrl, apiKey: gatewayApiKey }),
  );
}

/** @throws UsageError */
export function runtimeOf({ runtime }: RunOptions): AgentRuntime {
  if ("command" in runtime) return commandRuntime(runtime.command);
  return fromOption("runtime-url", () => httpRuntime(runtime.url));
}

/** @throws UsageError */
export function evaluatorOf({ evaluator }: RunOptions): Evaluator {
  if (evaluator === null) return resultEvaluator;
  if ("command" in evaluator) return commandEvaluator(evaluator.command);
  return fromOption("evaluator-url", () => httpEvaluator(evaluator.url));
}

/** What a runtime may open: its own session, or where no secret is known, all that the launcher may. */
export function llmApiKeyOf(options: RunOptions): (session_id: string) => string | null {
  const { sessionSecret, gatewayApiKey } = options;
  if (sessionSecret === null) return () => gatewayApiKey;
  return (session_id) => sessionKey(sessionSecret, session_id);
}

function fromOption<T>(name: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(`--${name}: ${error.message}`);
  }
}
