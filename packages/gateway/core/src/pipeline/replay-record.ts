import type { Answer } from "../call/answer.ts";
import { compose, type Handler, type Stage } from "../call/stage.ts";
import type { BoundCall } from "../recording/bound-call.ts";
import { parseMeta } from "../replay/recorded-step.ts";
import type { Replay } from "../replay/replay.ts";
import { answerFromRecord } from "../replay/replayed-answer.ts";
import type { Replays } from "../replay/replays.ts";
import type { HistoryServer } from "./find-history.ts";

/**
 * Answers a call from the record of the session that its own was forked from, for as long as it follows that
 * record.
 * @param stages the stages that such a call passes instead of all the following ones
 */
export function replayRecord(
  replays: Replays,
  histories: Pick<HistoryServer, "whole">,
  stages: readonly Stage<BoundCall>[],
): Stage<BoundCall> {
  const replay = compose(stages, answerReplayed);
  const answerFrom = async (
    record: Replay,
    call: BoundCall,
    next: Handler<BoundCall>,
  ): Promise<Answer> => {
    const found = await record.find(call, (body) => histories.whole(call, body));
    if (found === null) return next(call);
    if ("diverged" in found) {
      call.diverged = found.diverged;
      return next(call);
    }
    const { step, ended, giveBack } = found;
    const { weight_version, replica } = parseMeta(step.row.meta_json);
    call.replayed = step;
    call.weight_version = typeof weight_version === "string" ? weight_version : null;
    // Later requests for a stored response go to the replica that has it.
    call.sent.replica = typeof replica === "string" ? replica : null;
    try {
      const answer = await replay(call);
      if (call.step_id === 0) giveBack();
      else answer.settled.when(({ error }) => ended(error === null));
      return answer;
    } catch (error) {
      if (call.step_id === 0) giveBack();
      throw error;
    }
  };
  return (next) => (call) => {
    const { session } = call;
    return session.fork === null
      ? next(call)
      : answerFrom(replays.of(session, session.fork), call, next);
  };
}

/** Takes the place of an upstream. The call has its recorded step by then. */
const answerReplayed: Handler<BoundCall> = async (call) => {
  call.cancellation.throwIfCancelled();
  if (call.replayed === null) throw new Error("a replayed call has no recorded step");
  return answerFromRecord(call, call.replayed.row);
};
