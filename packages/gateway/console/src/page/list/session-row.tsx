import type { StoredSession } from "@proj/session-store/answers";
import { hrefOf } from "../shell/location.ts";
import { Cost } from "../text/cost.tsx";
import { ago, clock, compact, count, reward } from "../text/format.ts";
import { rolloutName } from "../text/rollout-name.ts";
import { stateClass } from "../text/state-class.ts";
import { visible } from "../text/visible.ts";

export function SessionRow({ session }: { readonly session: StoredSession }) {
  const { session_id, models, calls, counted_calls, errors, last_words } = session;
  const isFailed = session.last_status_code !== 200;
  const modelNames = models.map(visible).join(", ");
  return (
    <tr class={isFailed ? "failed" : ""}>
      <td>
        <a class="entry" href={hrefOf("sessions", session_id)} title={visible(session_id)}>
          {rolloutName(session)}
        </a>
        {session.simulation_id !== null && <span class="id">{visible(session_id)}</span>}
        {session.job_id !== null && (
          <a class="job" href={hrefOf("jobs", session.job_id)}>
            {visible(session.job_id)}
          </a>
        )}
      </td>
      <td>
        <State session={session} />
      </td>
      <td>
        <span class="models" title={modelNames}>
          {modelNames}
        </span>
      </td>
      <td class="number" data-name="calls">
        {count(calls)}
        <Budget session={session} />
        {errors > 0 && (
          <span class="bad">
            , {counted_calls < calls ? "≥ " : ""}
            {count(errors)} failed
          </span>
        )}
      </td>
      <td class="number" data-name="tokens">
        {compact(session.prompt_tokens)} → {compact(session.completion_tokens)}
      </td>
      <td class={session.cost_nano_usd === 0 ? "number nothing" : "number"}>
        {session.cost_nano_usd === 0 ? (
          "–"
        ) : (
          <Cost nano={session.cost_nano_usd} isPartial={counted_calls < calls} />
        )}
      </td>
      <td class={session.reward === null ? "number nothing" : "number"} data-name="reward">
        {session.reward === null ? "–" : reward(session.reward)}
      </td>
      <td class={isFailed ? "words bad" : "words"}>
        <bdi>
          {isFailed && `${session.last_status_code} `}
          {visible(last_words)}
        </bdi>
      </td>
      <td>
        <time datetime={session.last_at} title={clock(session.last_at)}>
          {ago(session.last_at)}
        </time>
      </td>
    </tr>
  );
}

function Budget({ session: { live } }: { readonly session: StoredSession }) {
  return live === null || live.max_steps < 0 ? null : <span> of {count(live.max_steps)}</span>;
}

function State({ session: { live, environment_status } }: { readonly session: StoredSession }) {
  const name = live?.status ?? environment_status ?? "stored";
  const isBusy = live !== null && live.in_flight > 0;
  return (
    <span class={stateClass(isBusy ? "busy" : name)}>
      {isBusy ? `${live.in_flight} in flight` : visible(name)}
    </span>
  );
}
