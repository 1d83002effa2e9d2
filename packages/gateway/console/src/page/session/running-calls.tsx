import { formOf } from "@proj/model-apis";
import { isJsonObject } from "@proj/model-apis/conversation";
import { clock, count } from "../text/format.ts";
import { visible } from "../text/visible.ts";
import { Message } from "./parts.tsx";
import type { RunningCall } from "./use-live.ts";

/** The calls in flight, with their answers so far. */
export function RunningCalls({ calls }: { readonly calls: readonly RunningCall[] }) {
  return (
    <>
      {calls.map((call) => (
        <section key={call.request_id} class="card running" aria-label="Running">
          <h3 class="step">
            <span class="state busy">
              {call.step_id === 0 ? "waiting for a place" : `Step ${count(call.step_id)} running`}
            </span>
            <span>{visible(call.model)}</span>
            <span class="quiet">since {clock(call.started_at)}</span>
          </h3>
          {answersSoFar(call).map((answer, index) => (
            <Message key={index} message={answer} tools={new Map()} />
          ))}
        </section>
      ))}
    </>
  );
}

function answersSoFar({ endpoint, response }: RunningCall) {
  try {
    const value: unknown = JSON.parse(response ?? "null");
    return (isJsonObject(value) ? formOf(endpoint).answersOf(value) : null) ?? [];
  } catch {
    return [];
  }
}
