import { useState } from "preact/hooks";
import { hrefOf } from "../shell/location.ts";
import { compact, plural, reward } from "../text/format.ts";
import { rolloutName } from "../text/rollout-name.ts";
import { stateClass } from "../text/state-class.ts";
import { visible } from "../text/visible.ts";
import { compareHref } from "./compare-place.ts";
import type { Rollout } from "./use-rollouts.ts";

interface RolloutHeadProps {
  readonly rollout: Rollout;
  /** All sessions that are shown. */
  readonly session_ids: readonly string[];
}

/** Which rollout a column is, and how it ended. */
export function RolloutHead({ rollout, session_ids }: RolloutHeadProps) {
  const { session_id, summary, problem, actions } = rollout;
  const name = rolloutName({
    ...{ session_id, simulation_id: null, attempt: null },
    ...summary?.environment,
  });
  const rewarded = summary?.environment?.reward ?? null;
  const status = summary?.environment?.status ?? null;
  const failed = actions.filter(({ isFailed }) => isFailed).length;
  return (
    <>
      <div class="rollout">
        <a class="name" href={hrefOf("sessions", session_id)} title={visible(session_id)}>
          {name}
        </a>
        {session_ids.length > 1 && (
          <a
            class="leave"
            aria-label={`Remove ${name}`}
            href={compareHref(session_ids.filter((id) => id !== session_id))}
          >
            ×
          </a>
        )}
      </div>
      <p>
        {rewarded !== null && (
          <>
            <strong>reward {reward(rewarded)}</strong>,
          </>
        )}
        {rewarded === null && status !== null && (
          <span class={stateClass(status)}>{visible(status)}</span>
        )}{" "}
        {plural(actions.length, "action")}
        {failed > 0 && <span class="bad">, {failed} failed</span>}
        {summary !== null &&
          `, ${compact(summary.session.prompt_tokens)} → ${compact(summary.session.completion_tokens)} tokens`}
      </p>
      {problem !== null && <p class="bad">{visible(problem)}</p>}
    </>
  );
}

/** Adds a rollout by the id of its session. */
export function AddRollout({ session_ids }: { readonly session_ids: readonly string[] }) {
  const [id, setId] = useState("");
  return (
    <form
      class="tools"
      onSubmit={(event) => {
        event.preventDefault();
        if (id.trim() !== "") location.hash = compareHref([...session_ids, id.trim()]);
        setId("");
      }}
    >
      <label>
        <span class="hidden">Session to add</span>
        <input
          type="search"
          placeholder="another session's id"
          value={id}
          onInput={({ currentTarget }) => setId(currentTarget.value)}
        />
      </label>
      <button type="submit">Add</button>
    </form>
  );
}
