import { type Recomputation, RecomputeError, recomputeJob } from "@proj/launcher-client";
import { count } from "@proj/launcher-client/sheets";
import { type Option, optional, optionalAs, ProgramError } from "@proj/program";
import type { JobReader } from "@proj/session-store";
import { gatewayOptions } from "../gateway-options.ts";
import type { ValuesOf } from "../options-of.ts";
import { secretOf } from "../secrets/secret-file.ts";
import { printable } from "../text/printable.ts";

const group = { group: "Log probabilities" };

const maxDifference: Option<number | null> = optionalAs(
  "NUMBER",
  "with --recompute: exit with 1 if a log probability differs by more than this, such as 0.01",
  (text, refuse) => {
    const number = text.trim() === "" ? Number.NaN : Number(text);
    if (number >= 0 && Number.isFinite(number)) return number;
    refuse(`must be a number of at least 0, not '${text}'`);
    return undefined;
  },
  group,
);

export const recomputeOptions = {
  recompute: optional(
    "ROUTE",
    "have this route's engines compute the log probabilities of all delivered tokens again, and show how far the recorded ones differ",
    group,
  ),
  "max-difference": maxDifference,
  ...gatewayOptions(group),
};

/** Null: it was not asked for. @throws ProgramError the engine cannot say them */
export async function recompute(
  store: JobReader,
  options: ValuesOf<typeof recomputeOptions> & { readonly "job-id": string | null },
  signal: AbortSignal,
): Promise<Recomputation | null> {
  const { recompute: route, "job-id": job_id, "gateway-base-url": baseUrl } = options;
  if (route === null) return null;
  const apiKey = secretOf(options, "gateway-api-key");
  try {
    return await recomputeJob(store, job_id ?? undefined, { baseUrl, apiKey, route, signal });
  } catch (error) {
    if (error instanceof RecomputeError) throw new ProgramError(error.message);
    throw error;
  }
}

export const isTooDifferent = (found: Recomputation | null, max: number | null): boolean =>
  found !== null && max !== null && found.max_difference > max;

export function recomputedText(found: Recomputation): string {
  const { sequences, tokens, without_logprobs, max_difference, mean_difference } = found;
  const compared = `log probabilities of ${count(tokens, "token")} in ${count(sequences, "sequence")}, computed again`;
  const without =
    without_logprobs === 0 ? "" : ` (${count(without_logprobs, "sequence")} had none recorded)`;
  const at = found.largest_at;
  if (at === null) return `${compared}${without}: nothing to compare\n`;
  const where = `${at.simulation_id}, session ${at.session_id}, ${at.step}, token ${at.at}: ${at.recorded} recorded, ${at.recomputed} now, at ${at.upstream}`;
  return printable(
    `${compared}${without}\nlargest difference  ${max_difference.toPrecision(3)}, mean ${mean_difference.toPrecision(3)}\n  ${where}\n`,
  );
}
