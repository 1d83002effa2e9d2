import { ConfigError, closestNames, fixedPaths, readRouteKeys } from "@proj/gateway-protocol";
import { ApiError } from "@proj/http-client";
import type { GatewayClient } from "../gateway/gateway-client.ts";
import { ask } from "./gateway-failure.ts";
import { StartupError } from "./startup-error.ts";

/** Route keys, and where they come from. */
export interface Routes {
  readonly keys: readonly string[];
  readonly source: string;
}

/** Keys as written in the configuration file, with references unresolved. @throws StartupError */
export function readConfiguredRoutes(path: string): Routes {
  try {
    return { keys: readRouteKeys(path), source: `${path} (SERVICE_GATEWAY_CONFIG)` };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const message = `gateway configuration file named by SERVICE_GATEWAY_CONFIG cannot be used: ${error.message}`;
    throw new StartupError("gateway_config_unreadable", message, error);
  }
}

/** Null: the gateway has only the basic interface, without a list. @throws StartupError */
export async function readServedRoutes(
  gateway: GatewayClient,
  signal: AbortSignal | undefined,
): Promise<Routes | null> {
  const keys = await ask(gateway, () =>
    gateway.models({ signal, timeoutMs: 10_000 }).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    }),
  );
  return keys && { keys, source: `the gateway (GET ${fixedPaths.models})` };
}

const maxNames = 20;

/** @throws StartupError the model is not among the routes */
export function requireRoute(llm_model: string, { keys, source }: Routes): void {
  if (keys.includes(llm_model)) return;
  const meant = closestNames(llm_model, keys, 1).map((name) => ` Did you mean ${quote(name)}?`);
  const more = keys.length > maxNames ? ` and ${keys.length - maxNames} more` : "";
  const names = keys.slice(0, maxNames).map(quote).join(", ") + more;
  throw new StartupError(
    "model_not_configured",
    `gateway model route(s) are not configured: --llm-model ${quote(llm_model)} is not a key of llm_routes in ${source}.${meant.join("")} The routes are: ${names || "none"}.`,
  );
}

const quote = (name: string): string => JSON.stringify(name);
