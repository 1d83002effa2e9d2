import type { GatewayReadiness } from "../gateway/gateway-answers.ts";
import type { GatewayClient } from "../gateway/gateway-client.ts";
import { awaitReady, requireReady } from "./await-ready.ts";
import { readConfiguredRoutes, readServedRoutes, requireRoute } from "./check-model.ts";
import { checkStorage, type LauncherStorage } from "./check-storage.ts";
import { missingForTraining, probeTokens, requireTokens } from "./check-tokens.ts";
import { PreflightError, StartupError } from "./startup-error.ts";

export interface PreflightOptions extends LauncherStorage {
  readonly gateway: GatewayClient;
  /** Must be a route key. */
  readonly llm_model: string;
  /** Path of the gateway's configuration file: the value of SERVICE_GATEWAY_CONFIG. */
  readonly serviceGatewayConfig?: string | null | undefined;
  /** How long a gateway may take to become ready, in milliseconds. @default 15_000 */
  readonly readyTimeoutMs?: number | undefined;
  /** Whether a route whose tokens cannot be trained on is an error. @default false */
  readonly requireTokens?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface PreflightReport {
  readonly readiness: GatewayReadiness;
  /** The gateway's route keys; null: it has only the basic interface, without a list. */
  readonly models: readonly string[] | null;
  /** What the route's engine lacks for training, a sentence each; empty without an engine. */
  readonly missingForTraining: readonly string[];
}

/**
 * The checks before a launcher starts: the gateway answers and is ready, both use the same storage, the model is a
 * route, and its engine, if it has one, gives data to train on (specification, "Interaction with the launcher").
 * @throws PreflightError lists everything that is wrong; the signal's reason
 */
export async function preflight(options: PreflightOptions): Promise<PreflightReport> {
  const { gateway, llm_model, serviceGatewayConfig, readyTimeoutMs = 15_000, signal } = options;
  const errors: StartupError[] = [];
  /** Null: the check failed, and its error is in `errors`. */
  const check = async <T>(checked: () => T | Promise<T>): Promise<T | null> => {
    try {
      return await checked();
    } catch (error) {
      if (!(error instanceof StartupError)) throw error;
      errors.push(error);
      return null;
    }
  };
  if (serviceGatewayConfig) {
    await check(() => requireRoute(llm_model, readConfiguredRoutes(serviceGatewayConfig)));
  }
  const readiness = await check(() => awaitReady(gateway, readyTimeoutMs, signal));
  if (readiness === null) throw new PreflightError(errors);
  await check(() => requireReady(readiness));
  await check(() => checkStorage(readiness, options));
  const served = await check(() => readServedRoutes(gateway, signal));
  if (served?.keys) await check(() => requireRoute(llm_model, served));
  if (errors.length > 0) throw new PreflightError(errors);
  const probe = await probeTokens(gateway, llm_model, signal);
  if (options.requireTokens) await check(() => requireTokens(llm_model, probe));
  if (errors.length > 0) throw new PreflightError(errors);
  return {
    readiness,
    models: served?.keys ?? null,
    missingForTraining: probe === null ? [] : missingForTraining(probe),
  };
}
