import { waitFor } from "@proj/test-kit";
import { parsePrometheusText, sampleValue } from "../metrics/prometheus-text.ts";
import type { TestGateway } from "../start-gateway.ts";

/**
 * Resolves once the gateway holds nothing of any request: every gauge and every session is exactly at zero.
 */
export async function atRest(gateway: TestGateway, ...session_ids: string[]): Promise<void> {
  let held: Record<string, number> = {};
  const isAtRest = async (): Promise<boolean> => {
    held = await heldBy(gateway, session_ids);
    return Object.values(held).every((value) => value === 0);
  };
  try {
    await waitFor(isAtRest, "the gateway to come to rest");
  } catch (error) {
    throw new Error(`The gateway still holds ${JSON.stringify(held)}.`, { cause: error });
  }
}

async function heldBy(
  gateway: TestGateway,
  session_ids: readonly string[],
): Promise<Record<string, number>> {
  const families = parsePrometheusText(await (await fetch(`${gateway.url}/metrics`)).text());
  const held: Record<string, number> = {};
  for (const name of ["requests_in_flight", "requests_waiting"]) {
    const samples = families.get(`gateway_${name}`)?.samples;
    if (samples === undefined) throw new Error(`no metric gateway_${name}`);
    for (const { labels, value } of samples) held[`${name} ${labels.model}`] = value;
  }
  for (const name of ["telemetry_queue_rows", "telemetry_queue_bytes", "buffered_bytes"])
    held[name] = sampleValue(families, `gateway_${name}`) ?? Number.NaN;
  for (const session_id of session_ids) {
    const status = (await (await fetch(gateway.sessionUrl(session_id))).json()) as {
      in_flight?: number;
    };
    held[`in_flight of ${session_id}`] = status.in_flight ?? Number.NaN;
  }
  return held;
}
