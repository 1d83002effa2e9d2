import { causeOfFailure } from "@proj/gateway-protocol/failure-causes";
import { parsedObject } from "@proj/model-apis/conversation";
import type { SummaryBody } from "@proj/session-store/answers";
import { filterText } from "../list/filters.ts";
import { hrefOf } from "../shell/location.ts";
import { Copy } from "../text/copy.tsx";
import { Cost } from "../text/cost.tsx";
import { clock, compact, count, duration, plural, reward } from "../text/format.ts";
import { LongText } from "../text/long-text.tsx";
import { rolloutName } from "../text/rollout-name.ts";
import { stateClass } from "../text/state-class.ts";
import { visible } from "../text/visible.ts";
import { Fold } from "./parts.tsx";
import { Scores, Siblings, TaskParameters } from "./rollout-context.tsx";
import type { RowUsage } from "./row-usage.ts";
import type { LiveStatus } from "./use-live.ts";

interface SessionHeadProps {
  readonly session_id: string;
  readonly summary: SummaryBody | null;
  /** Null: the session is not in the gateway's memory. */
  readonly live: LiveStatus | null;
  /** Summed over the calls read so far. */
  readonly used: RowUsage;
}

/** What the session is part of, its state, and how it ended. */
export function SessionHead({ session_id, summary, live, used }: SessionHeadProps) {
  const { prompt_tokens, completion_tokens, cost_nano_usd, replayed } = used;
  const { session, environment } = summary ?? { session: null, environment: null };
  // A simulation takes longer than its calls: an agent also works between and after them.
  const began = environment?.started_at ?? session?.first_at ?? "";
  const ended = environment?.finished_at ?? session?.last_at ?? "";
  return (
    <header class="head">
      <h2>{environment === null ? visible(session_id) : rolloutName(environment)}</h2>
      {environment !== null && (
        <p class="id">
          {visible(session_id)} <Copy name="Copy id" text={() => session_id} />
        </p>
      )}
      <p class="links">
        {live !== null && (
          <span class={stateClass(live.in_flight > 0 ? "busy" : live.status)}>
            {live.in_flight > 0 ? `${count(live.in_flight)} in flight` : live.status}
          </span>
        )}
        {live !== null && <Budgets live={live} />}
        {live?.close != null && (
          <span>
            closed{live.close.reason === null ? "" : ` (${visible(live.close.reason)})`}, rows{" "}
            {live.close.telemetry}
          </span>
        )}
        {environment !== null && (
          <>
            <a href={hrefOf("jobs", environment.job_id)}>{visible(environment.job_id)}</a>
            {environment.group_id !== null && (
              <a href={hrefOf("sessions", null, { q: filterText("group", environment.group_id) })}>
                group {visible(environment.group_id)}
              </a>
            )}
            {environment.env_name !== null && <span>{visible(environment.env_name)}</span>}
            <span class={stateClass(environment.status)}>{visible(environment.status)}</span>
            {environment.reward !== null && <strong>reward {reward(environment.reward)}</strong>}
          </>
        )}
        {session !== null && (
          <>
            <span>{session.models.map(visible).join(", ")}</span>
            <span>
              {compact(prompt_tokens)} → {compact(completion_tokens)} tokens
            </span>
            {cost_nano_usd > 0 && <Cost nano={cost_nano_usd} />}
            {replayed > 0 && <span>{plural(replayed, "step")} replayed</span>}
            <span title={`${clock(began)} – ${clock(ended)}`}>
              {duration(Date.parse(ended) - Date.parse(began))}
            </span>
          </>
        )}
      </p>
      {environment?.error != null && <Failed {...environment} error={environment.error} />}
      <Scores scores={summary?.scores ?? []} />
      {environment?.env_params != null && <TaskParameters env_params={environment.env_params} />}
      {summary?.neighbours != null && (
        <Siblings session_id={session_id} neighbours={summary.neighbours} />
      )}
    </header>
  );
}

interface FailedProps {
  readonly status: string;
  readonly error: string;
  readonly result: string | null;
}

/** Why it failed: the agent's own message, whole, and the end of what it printed. */
function Failed({ status, error, result }: FailedProps) {
  const cause = causeOfFailure(status, error);
  const output = String(parsedObject(result).last_output ?? "").trim();
  return (
    <div class="failure">
      <a href={hrefOf("sessions", null, { q: `cause:${cause}` })}>{cause.replace("_", " ")}</a>
      <LongText class="said bad" text={error} />
      {!error.includes(output) && (
        <Fold label="output" preview={output.slice(-160)}>
          <LongText class="said code" text={output} />
        </Fold>
      )}
    </div>
  );
}

/** What the session has used of what it may use. */
function Budgets({ live }: { readonly live: LiveStatus }) {
  const { max_steps, tokens, max_tokens, cost_nano_usd, max_cost_usd } = live;
  const most = max_cost_usd === null ? null : Math.round(max_cost_usd * 1e9);
  return (
    <>
      {max_steps >= 0 &&
        Object.entries(live.models).map(([model, { steps, stopped }]) => (
          <span key={model} class={stopped ? "bad" : ""}>
            {visible(model)}: {count(steps)} of {count(max_steps)} steps
          </span>
        ))}
      {max_tokens >= 0 && (
        <span class={tokens >= max_tokens ? "bad" : ""}>
          {compact(tokens)} of {compact(max_tokens)} tokens used
        </span>
      )}
      {most !== null && (
        <span class={cost_nano_usd >= most ? "bad" : ""}>
          <Cost nano={cost_nano_usd} /> of <Cost nano={most} /> spent
        </span>
      )}
    </>
  );
}
