import { duration } from "../text/format.ts";
import type { StepFacts } from "./step-facts.ts";

interface TimeStripProps {
  readonly facts: StepFacts;
  readonly previous: StepFacts | null;
}

/** Where a step's time went: the agent's own since the step before, the queue, the first byte, the answer. */
export function TimeStrip({ facts, previous }: TimeStripProps) {
  const { queue_ms, ttft_ms, upstream_ms } = facts;
  const spans = [
    ["agent", "the agent's own time", gapBefore(facts, previous)],
    ["queue", "in the queue", queue_ms],
    ["first", "to the first byte", ttft_ms ?? 0],
    ["answering", "answering", Math.max((upstream_ms ?? 0) - (ttft_ms ?? 0), 0)],
  ] as const;
  const sum = spans.reduce((all, [, , ms]) => all + ms, 0);
  if (sum === 0) return null;
  const described = spans
    .filter(([, , ms]) => ms >= 0.5)
    .map(([, what, ms]) => `${duration(ms)} ${what}`)
    .join(", ");
  return (
    <div class="strip" role="img" aria-label={described} title={described}>
      {spans.map(([name, , ms]) => (
        <span key={name} class={name} style={{ flexGrow: String(ms / sum) }} />
      ))}
    </div>
  );
}

function gapBefore(facts: StepFacts, previous: StepFacts | null): number {
  if (previous?.started_at == null || facts.started_at === null) return 0;
  const ended = Date.parse(previous.started_at) + previous.queue_ms + (previous.upstream_ms ?? 0);
  return Math.max(Date.parse(facts.started_at) - ended, 0);
}
