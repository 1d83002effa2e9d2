import { createHash } from "node:crypto";
import type { TelemetryConfig } from "@proj/gateway-protocol";

/** Whether a step's row keeps its payload. The decision for a step is the same in every run. */
export function keepsPayload(
  config: TelemetryConfig,
  session_id: string,
  model: string,
  step_id: number,
  status_code: number,
): boolean {
  switch (config.capture_payload) {
    case "full":
      return true;
    case "failed_only":
      return status_code !== 200;
    case "sampled":
      return sample(session_id, model, step_id) < config.payload_sample_rate;
    case "none":
      return false;
  }
}

/** Uniform over 0 (inclusive) to 1 (exclusive). */
function sample(session_id: string, model: string, step_id: number): number {
  const hash = createHash("sha256")
    .update(JSON.stringify([session_id, model, step_id]))
    .digest();
  return hash.readUInt32BE(0) / 2 ** 32;
}
