import type { LiveAnswer } from "@proj/model-apis";
import type { WrongIds } from "@proj/model-apis/tokens";
import type { EngineEnd } from "../prompts/index.ts";

/** An engine's end in the words that an agent's API is written with. */
export function endOf({
  finish_reason,
  stop_sequence,
  usage,
}: EngineEnd): Parameters<LiveAnswer["end"]>[0] {
  const known = (["length", "tool_calls", "content_filter"] as const).find(
    (it) => it === finish_reason,
  );
  return { finish: known ?? "stop", stop_sequence, usage };
}

/** Nothing may continue an answer whose tokens are not known, or that does not end where the model ended its turn. */
export function whyCut(end: EngineEnd | null, wrong_ids: WrongIds | null): string | null {
  if (end === null) return "broken_off";
  if (end.stop_sequence !== null) return "stop_sequence";
  if (end.finish_reason !== "stop" && end.finish_reason !== "tool_calls") return end.finish_reason;
  return wrong_ids === null ? null : "wrong_ids";
}
