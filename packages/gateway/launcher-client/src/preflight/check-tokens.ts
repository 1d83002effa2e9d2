import type { EngineFinding, EngineProbeBody } from "@proj/gateway-protocol";
import { HttpError } from "@proj/http-client";
import type { GatewayClient } from "../gateway/gateway-client.ts";
import { StartupError } from "./startup-error.ts";

/** An engine may have to sample some tokens before it answers. */
const probeMs = 90_000;

/** Null: the gateway, perhaps one with the basic interface alone, does not say. */
export async function probeTokens(
  gateway: GatewayClient,
  llm_model: string,
  signal: AbortSignal | undefined,
): Promise<EngineProbeBody | null> {
  try {
    return await gateway.probeEngine(llm_model, { signal, timeoutMs: probeMs, retry: false });
  } catch (error) {
    if (error instanceof HttpError) return null;
    throw error;
  }
}

/** What is missing for training, a sentence each. */
export function missingForTraining(probe: EngineProbeBody): readonly string[] {
  return findingsOf(probe, "failed").concat(findingsOf(probe, "warning"));
}

/** @throws StartupError what the route's engines sample cannot be trained on */
export function requireTokens(llm_model: string, probe: EngineProbeBody | null): void {
  const failed = probe === null ? [] : findingsOf(probe, "failed");
  if (probe !== null && probe.engine !== null && failed.length === 0) return;
  const why =
    probe === null
      ? "the gateway does not say what its engine gives"
      : probe.engine === null
        ? "its route has no 'engine', so nothing says whether token ids come back"
        : failed.join("; ");
  throw new StartupError(
    "tokens_not_trainable",
    `what ${JSON.stringify(llm_model)} samples cannot be trained on: ${why}.`,
  );
}

const findingsOf = ({ upstreams }: EngineProbeBody, level: EngineFinding["level"]): string[] =>
  upstreams.flatMap(({ upstream, findings }) =>
    findings
      .filter((finding) => finding.level === level)
      .map(({ check, message }) => `${check} at ${upstream}: ${message}`),
  );
