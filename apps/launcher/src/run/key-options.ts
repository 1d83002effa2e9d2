import { type SessionKeyScope, sessionKey } from "@proj/gateway-protocol";
import {
  flag,
  type OptionSettings,
  optionalAs,
  type Refuse,
  repeated,
  wholeNumber,
} from "@proj/program";
import type { OptionsOf } from "../options-of.ts";
import { isCluster, type SandboxSettings } from "./sandbox-options.ts";

const keys: OptionSettings = { group: "What agents' keys open" };

/** The requested limits of an agent's key. */
export interface KeySettings {
  readonly "key-model": readonly string[];
  readonly "key-expires": boolean;
  readonly "key-max-steps": number | null;
  readonly "key-requests-per-second": number | null;
}

/** Options of `run` that limit the keys made with the session secret. */
export const keyOptions: OptionsOf<KeySettings> = {
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

function readRate(text: string, refuse: Refuse): number | undefined {
  const rate = /^\d{1,6}(\.\d{1,6})?$/.test(text) ? Number(text) : 0;
  if (rate > 0) return rate;
  refuse(`must be a number of requests, not '${text}'`);
  return undefined;
}

interface CheckedSettings extends KeySettings {
  readonly "llm-model": string;
  readonly "session-secret": string | null;
  readonly "session-secret-file": string | null;
}

export function checkKeys(options: CheckedSettings, refuse: Refuse): void {
  const { "key-model": models, "llm-model": model } = options;
  const hasSecret = options["session-secret"] !== null || options["session-secret-file"] !== null;
  if (isScoped(options) && !hasSecret)
    refuse("--key-… limits keys of sessions, which need --session-secret-file or --session-secret");
  if (models.length > 0 && !models.includes(model))
    refuse(`--key-model leaves out --llm-model, which agents call: add --key-model ${model}`);
}

export interface KeyMaker {
  readonly sessionSecret: string | null;
  readonly gatewayApiKey: string | null;
  readonly key: KeySettings;
  /** Milliseconds. */
  readonly simulationMs: number;
  readonly queueMs: number;
  readonly agent: Pick<SandboxSettings, "place">;
}

/** What a runtime may open: its own session; without a known secret, everything that the launcher may open. */
export function llmApiKeyOf(maker: KeyMaker): (session_id: string) => string | null {
  const { sessionSecret, gatewayApiKey, key, agent, simulationMs, queueMs } = maker;
  const longestMs = simulationMs + (isCluster(agent.place) ? queueMs : 0);
  if (sessionSecret === null) return () => gatewayApiKey;
  if (!isScoped(key)) return (session_id) => sessionKey(sessionSecret, session_id);
  return (session_id) => sessionKey(sessionSecret, session_id, scopeOf(key, longestMs));
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
