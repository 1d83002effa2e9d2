import { type SessionKeyScope, sessionKey } from "@proj/gateway-protocol";
import {
  flag,
  type OptionSettings,
  optionalAs,
  type Refuse,
  repeated,
  wholeNumber,
} from "@proj/program";
import type { ValuesOf } from "../options-of.ts";
import type { RunSettings } from "./run-arguments.ts";
import type { RunPlan } from "./run-plan.ts";
import { isCluster } from "./sandbox-options.ts";

const keys: OptionSettings = { group: "What agents' keys open" };

/** Options of `run` that limit the keys made with the session secret. */
export const keyOptions = {
  "key-model": repeated("ROUTE", "a route that they open; repeatable (all)", keys),
  "key-expires": flag(
    "they expire after --simulation-timeout, and in a cluster --queue-timeout",
    keys,
  ),
  "key-max-steps": wholeNumber("N", "steps with each model, within the gateway's max_steps", {
    ...keys,
    min: 1,
    max: 999_999_999,
  }),
  "key-requests-per-second": optionalAs("N", "such as 2 or 0.5", readRate, keys),
};

export type KeySettings = ValuesOf<typeof keyOptions>;

function readRate(text: string, refuse: Refuse): number | undefined {
  const rate = /^\d{1,6}(\.\d{1,6})?$/.test(text) ? Number(text) : 0;
  if (rate > 0) return rate;
  refuse(`must be a number of requests, not '${text}'`);
  return undefined;
}

export function checkKeys(options: RunSettings, refuse: Refuse): void {
  const { "key-model": models, "llm-model": model } = options;
  const hasSecret = options["session-secret"] !== null || options["session-secret-file"] !== null;
  if (isScoped(options) && !hasSecret)
    refuse("--key-… limits keys of sessions, which need --session-secret-file or --session-secret");
  if (models.length > 0 && !models.includes(model))
    refuse(`--key-model leaves out --llm-model, which agents call: add --key-model ${model}`);
}

/** What a runtime may open: its own session; without a known secret, everything that the launcher may open. */
export function llmApiKeyOf({
  options,
  sessionSecret,
  gatewayApiKey,
}: Pick<RunPlan, "options" | "sessionSecret" | "gatewayApiKey">): (
  session_id: string,
) => string | null {
  const { place, "simulation-timeout": simulationMs, "queue-timeout": queueMs } = options;
  const longestMs = simulationMs + (isCluster(place) ? queueMs : 0);
  if (sessionSecret === null) return () => gatewayApiKey;
  if (!isScoped(options)) return (session_id) => sessionKey(sessionSecret, session_id);
  return (session_id) => sessionKey(sessionSecret, session_id, scopeOf(options, longestMs));
}

const isScoped = (settings: KeySettings): boolean =>
  settings["key-model"].length > 0 ||
  settings["key-expires"] ||
  settings["key-max-steps"] !== null ||
  settings["key-requests-per-second"] !== null;

/** The scope of a key that is made now. */
function scopeOf(settings: KeySettings, longestMs: number): SessionKeyScope {
  const {
    "key-model": models,
    "key-max-steps": max_steps,
    "key-requests-per-second": requests_per_second,
  } = settings;
  return {
    ...(models.length === 0 ? {} : { models }),
    ...(settings["key-expires"] ? { expires_at: Math.ceil((Date.now() + longestMs) / 1_000) } : {}),
    ...(max_steps === null ? {} : { max_steps }),
    ...(requests_per_second === null ? {} : { requests_per_second }),
  };
}
