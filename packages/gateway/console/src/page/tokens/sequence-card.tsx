import type { Sequence, Split } from "@proj/sequences";
import { useState } from "preact/hooks";
import { count, plural } from "../text/format.ts";
import { visible } from "../text/visible.ts";
import { figuresOf, type SpanFigures } from "./span-figures.ts";
import { TokenTable } from "./token-table.tsx";

interface SequenceCardProps {
  readonly sequence: Sequence;
  readonly number: number;
}

/** A sequence: why it begins, and what its tokens are. */
export function SequenceCard({ sequence, number }: SequenceCardProps) {
  const spans = figuresOf(sequence);
  const trained = spans.reduce((sum, span) => sum + span.trained, 0);
  const { input_ids, agent, side_call, split, parent } = sequence;
  return (
    <section class="sequence" aria-label={`Sequence ${number}`}>
      <h3>
        Sequence {number}{" "}
        <span class="quiet">
          {plural(input_ids.length, "token")}, {count(trained)} trained
        </span>
      </h3>
      <p>
        {agent !== null && <span class="tag">{visible(agent.kind ?? agent.id)}</span>}
        {side_call !== null && <span class="tag">side call {visible(side_call)}</span>}{" "}
        <SplitReason split={split} />
        {parent !== null && (
          <span class="quiet">
            {" "}
            Branches off sequence {parent.sequence + 1} at token {count(parent.at)}.
          </span>
        )}
      </p>
      <div class="token-bar" aria-hidden="true">
        {spans.map(({ span }) => (
          <span
            key={span.start}
            class={span.kind}
            style={{ flexGrow: String(span.end - span.start) }}
          />
        ))}
      </div>
      {spans.map((figures) => (
        <SpanLine key={figures.span.start} sequence={sequence} figures={figures} />
      ))}
    </section>
  );
}

function SplitReason({ split }: { readonly split: Split }) {
  const { reason, step, compared_with, detail, at_token, at_message, expected_ids, got_ids } =
    split;
  return (
    <span>
      Begins at <code>{visible(step)}</code>: <strong>{reason}</strong>
      {detail !== null && ` (${visible(detail)})`}
      {compared_with !== null && (
        <>
          {" "}
          compared with <code>{visible(compared_with)}</code>
        </>
      )}
      {at_token !== null && `, from token ${count(at_token)}`}
      {at_message !== null && `, from message ${count(at_message + 1)}`}
      {expected_ids.length + got_ids.length > 0 && (
        <span class="quiet">
          {" "}
          expected <code>{expected_ids.join(" ")}</code>, got <code>{got_ids.join(" ")}</code>
        </span>
      )}
    </span>
  );
}

interface SpanLineProps {
  readonly sequence: Sequence;
  readonly figures: SpanFigures;
}

function SpanLine({ sequence, figures }: SpanLineProps) {
  const [isOpen, setOpen] = useState(false);
  const { span, trained, mean_logprob, lowest_logprob, versions } = figures;
  return (
    <details class="span" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span class={`kind ${span.kind}`}>{span.kind}</span>{" "}
        <span>
          {count(span.start)}–{count(span.end)}, {plural(span.end - span.start, "token")}
        </span>{" "}
        <span class="quiet">
          <code>{visible(span.step)}</code>
          {trained > 0 && `, ${count(trained)} trained`}
          {mean_logprob !== null && `, mean logprob ${mean_logprob.toFixed(3)}`}
          {lowest_logprob !== null && `, lowest ${lowest_logprob.toFixed(2)}`}
          {versions.length > 0 && `, weights ${versions.map(visible).join(", ")}`}
        </span>
      </summary>
      {isOpen && <TokenTable sequence={sequence} span={span} />}
    </details>
  );
}
