import { duration } from "../text/format.ts";
import type { StepFacts } from "./step-facts.ts";

interface TimeStripProps {
  readonly facts: StepFacts;
  readonly previous: StepFacts | null;
}

/** The parts of the strip, and what each means. */
export const stripParts = [
  ["agent", "the agent's own time"],
  ["queue", "in the queue"],
  ["first", "to the first byte"],
  ["answering", "answering"],
] as const;

/** Where a step's time went: the agent's own since the previous step, the queue, the first byte, the answer. */
export function TimeStrip({ facts, previous }: TimeStripProps) {
  const { queue_ms, ttft_ms, upstream_ms } = facts;
  const times = {
    agent: gapBefore(facts, previous),
    queue: queue_ms,
    first: ttft_ms ?? 0,
    answering: Math.max((upstream_ms ?? 0) - (ttft_ms ?? 0), 0),
  };
  const spans = stripParts.map(([name, what]) => [name, what, times[name]] as const);
  const sum = spans.reduce((all, [, , ms]) => all + ms, 0);
  if (sum === 0) return null;
  const described = spans
    .filter(([, , ms]) => ms >= 0.5)
    .map(([, what, ms]) => `${duration(ms)} ${what}`)
    .join(", ");
  return (
    <div class="strip" role="img" aria-label={described} title={described}>
      {spans.map(([name, , ms]) => (
        <span key={name} class={`strip-part ${name}`} style={{ flexGrow: String(ms / sum) }} />
      ))}
    </div>
  );
}

function gapBefore(facts: StepFacts, previous: StepFacts | null): number {
  if (previous?.started_at == null || facts.started_at === null) return 0;
  const ended = Date.parse(previous.started_at) + previous.queue_ms + (previous.upstream_ms ?? 0);
  return Math.max(Date.parse(facts.started_at) - ended, 0);
}
