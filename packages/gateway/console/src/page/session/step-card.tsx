import type { StoredRow } from "@proj/session-store";
import { errorOfStep } from "@proj/session-store/answers";
import { useMemo } from "preact/hooks";
import { hrefOf } from "../shell/location.ts";
import { Cost } from "../text/cost.tsx";
import { bytes, compact, count, duration } from "../text/format.ts";
import { visible } from "../text/visible.ts";
import { addedBy, answersOf } from "./added.ts";
import { Beginning } from "./beginning.tsx";
import { citationsOf } from "./media.ts";
import { Message, type ToolNames } from "./parts.tsx";
import { Rewritten } from "./rewritten.tsx";
import { factsOf, type ReplayedFrom, type StepFacts } from "./step-facts.ts";
import { nameOf } from "./step-name.ts";
import { TimeStrip } from "./time-strip.tsx";

export interface StepCardProps {
  readonly row: StoredRow;
  /** The row with its payload; null: not read yet. */
  readonly whole: StoredRow | null;
  /** The row that this one continues; null: there is none, or it is not known. */
  readonly base: StoredRow | null;
  readonly previous: StoredRow | null;
  /** The call that retries this one; null: none does. */
  readonly retry: StoredRow | null;
  readonly tools: ToolNames;
  readonly onInspect: () => void;
}

/** A step: what its request adds, and the answer. It renders again only if its rows change. */
export function StepCard(props: StepCardProps) {
  const { row, whole, base, previous, retry, tools } = props;
  return useMemo(() => stepCard(props), [row, whole, base, previous, retry, tools]);
}

function stepCard({ row, whole, base, previous, retry, tools, onInspect }: StepCardProps) {
  const facts = factsOf(row);
  return (
    <>
      <h3 class="step">
        <button
          type="button"
          class="number"
          onClick={onInspect}
          aria-label={`Inspect ${nameOf(row)}`}
        >
          {nameOf(row)}
        </button>
        <span class="quiet">{visible(row.model)}</span>
        {facts.agent !== null && <span class="tag">{visible(facts.agent)}</span>}
        {facts.side_call !== null && <span class="tag">side call {visible(facts.side_call)}</span>}
        {facts.endpoint === "compact" && <span class="tag">compaction</span>}
        {facts.retry_of !== null && (
          <span class="tag retry">retry of step {count(facts.retry_of)}</span>
        )}
        {retry !== null && <span class="tag retry">retried as {nameOf(retry).toLowerCase()}</span>}
        {facts.replayed_from !== null && <Replayed from={facts.replayed_from} />}
        {facts.diverged !== null && <span class="bad">differs from {visible(facts.diverged)}</span>}
        {row.status_code !== 200 && <span class="bad">{row.status_code}</span>}
        <span class="quiet">{tokensOf(facts)}</span>
        {facts.cost_nano_usd !== null && (
          <span class="quiet">
            <Cost nano={facts.cost_nano_usd} />
          </span>
        )}
        {facts.upstream_ms !== null && <span class="quiet">{duration(facts.upstream_ms)}</span>}
        {row.reward !== null && <span class="tag">reward {row.reward}</span>}
        {row.is_truncated && <span class="tag">truncated</span>}
      </h3>
      <TimeStrip facts={facts} previous={previous === null ? null : factsOf(previous)} />
      {whole === null ? (
        <p class="empty">Loading …</p>
      ) : (
        <Exchange row={whole} {...{ base, previous, tools, onInspect }} />
      )}
    </>
  );
}

/** The answer came from another session's record; the model was not asked. */
const Replayed = ({ from: { session_id, step_id } }: { readonly from: ReplayedFrom }) => (
  <span class="tag replayed">
    replayed from step {count(step_id)} of{" "}
    <a href={hrefOf("sessions", session_id)}>{visible(session_id)}</a>
  </span>
);

type ExchangeProps = Pick<StepCardProps, "row" | "base" | "previous" | "tools" | "onInspect">;

function Exchange({ row, base, previous, tools, onInspect }: ExchangeProps) {
  const added = addedBy(row, base);
  const answers = row.status_code === 200 ? answersOf(row) : null;
  const messages = added.messages ?? [];
  // The model's own last answer comes back first, before anything new.
  const firstNew = messages.findIndex(({ role }) => role !== "assistant");
  const repeatsNothing = added.kind === "begins" || added.kind === "names";
  const repeated = repeatsNothing ? 0 : firstNew < 0 ? messages.length : firstNew;
  const isOnDemand = added.kind === "changed" || (added.kind === "names" && row.messages !== null);
  return (
    <>
      <Beginning kind={added.kind} {...{ row, base, previous }} />
      {added.messages === null && isOnDemand && <Rewritten row={row} tools={tools} />}
      {added.messages === null && !isOnDemand && row.messages_bytes !== null && (
        <p class="elsewhere">
          <button type="button" onClick={onInspect}>
            Show the request
          </button>{" "}
          It adds {bytes(row.messages_bytes)}.
        </p>
      )}
      {messages.map((message, index) => (
        <Message key={index} message={message} tools={tools} isRepeated={index < repeated} />
      ))}
      <div class="answer">
        {answers?.map((answer, index) => (
          <Message key={index} message={answer} tools={tools} />
        ))}
        <Citations response={row.response} />
        {answers === null && <Ending row={row} onInspect={onInspect} />}
      </div>
    </>
  );
}

/** Why there is no answer to show. */
function Ending({ row, onInspect }: { readonly row: StoredRow; readonly onInspect: () => void }) {
  if (row.status_code !== 200) return <Failure row={row} />;
  if (row.response_bytes === null) return <p class="empty">The answer was not captured.</p>;
  return (
    <p class="elsewhere">
      <button type="button" onClick={onInspect}>
        Show the answer
      </button>{" "}
      {bytes(row.response_bytes)},{" "}
      {row.response === null ? "too large to show here" : "in an unknown form"}
    </p>
  );
}

function Failure({ row }: { readonly row: StoredRow }) {
  const { outcome } = factsOf(row);
  const error = errorOfStep(row);
  // An upstream's refusal is a complete answer, too.
  const how = outcome === null || outcome === "completed" ? "" : ` ${visible(outcome)}`;
  return (
    <p class="bad">
      {row.status_code}
      {how}
      {error !== null && `: ${visible(error)}`}
    </p>
  );
}

function Citations({ response }: { readonly response: string | null }) {
  // Most answers name no sources, and parsing each of them twice would double the work.
  if (response === null || !/"(?:citations|annotations)"\s*:\s*\[\s*\{/.test(response)) return null;
  const citations = citationsOf(JSON.parse(response));
  return (
    <ol class="citations" aria-label="Sources">
      {citations.map(({ title, url }, index) => (
        <li key={index}>
          {visible(title)} {url !== null && <code>{visible(url)}</code>}
        </li>
      ))}
    </ol>
  );
}

function tokensOf({ prompt_tokens, completion_tokens, finish_reason }: StepFacts): string {
  const tokens =
    prompt_tokens === null && completion_tokens === null
      ? []
      : [`${compact(prompt_tokens ?? 0)} → ${compact(completion_tokens ?? 0)} tokens`];
  return [...tokens, ...(finish_reason === null ? [] : [visible(finish_reason)])].join(" · ");
}
