import type { Answer } from "../call/answer.ts";
import type { Call } from "../call/call.ts";
import type { Stage } from "../call/stage.ts";
import { type AnswerEnding, RecordedBody } from "../recording/recorded-body.ts";
import type { StoredObjects } from "../session/stored-objects.ts";

/** Remembers where responses for callers without a session are stored, before the callers get them. */
export function rememberUnbound(objects: StoredObjects): Stage<Call> {
  return (next) => (call) => {
    const answer = next(call);
    if (call.endpoint.name !== "responses") return answer;
    return answer.then((answer) => rememberObject(objects, call, answer));
  };
}

function rememberObject(objects: StoredObjects, call: Call, answer: Answer): Answer {
  const { model, sent } = call;
  const ending: AnswerEnding = {
    finish: async (_answer, error) => {
      const id = (await answer.reading?.facts())?.object_id ?? null;
      if (id !== null) objects.remember(id, { model, replica: sent.replica, pending: null });
      return error;
    },
  };
  return answer.through((body) => new RecordedBody(body, answer, ending, call.lease));
}
