import type { JobExamination, MissingIds } from "@proj/launcher-client";
import { count } from "@proj/launcher-client/sheets";

const advice: Readonly<Record<MissingIds, string>> = {
  api: "The Responses and the Messages API have no place for them. Set engine on the route:\n    the gateway then asks the engine itself, and has the ids of every API.",
  flag: "Nothing asked for them. Set engine on the route, or for chat completions of vLLM\n    extra_body: { return_token_ids: true, logprobs: true }.",
  engine:
    "The server was asked for them, but does not report them all, or reports others than it\n    sampled: it must report those of the prompt and of the completion. gateway check --live tells more.",
  proxy:
    "LiteLLM's proxy left them out: of streams it drops the prompt's. Point the route at the\n    engine, with the gateway in front of it.",
  not_captured: "The answers were not recorded. See telemetry in the gateway's configuration.",
  prompt_mismatch: "The engine used prompt ids other than those it was sent.",
  earlier_step_missing: "Their prompts continue from steps that are not in the storage.",
};

/** Why steps have no token ids, and what to do about it. */
export function missingIdsText(missing_ids: JobExamination["missing_ids"]): string {
  const lines = causes.flatMap((cause) => {
    const loss = missing_ids[cause];
    if (loss === undefined) return [];
    const { steps, tokens } = loss;
    return [`  ${cause}: ${count(steps, "step")}, ${count(tokens, "token")}. ${advice[cause]}\n`];
  });
  return `no_token_ids, by cause:\n${lines.join("")}`;
}

const causes = Object.keys(advice) as MissingIds[];
