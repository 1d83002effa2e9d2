/** What happens to one request of a storm, on both sides of the gateway. */
export interface StormPlan {
  readonly id: string;
  readonly session_id: string | null;
  readonly endpoint: StormEndpoint;
  readonly stream: boolean;
  readonly upstream: UpstreamPlan;
  readonly leave: LeavePlan | null;
}

export type StormEndpoint = "chat/completions" | "responses" | "messages";

export type UpstreamPlan =
  | "whole"
  | "slow"
  | "reset"
  | "close"
  | "garbage"
  | "half-headers"
  | "cut"
  | "half-event"
  | "dries-up"
  | "too-short"
  | "429"
  | "500";

/** When and how the caller leaves. */
export interface LeavePlan {
  readonly at:
    | "once sent"
    | "a moment later"
    | "at the upstream"
    | "at its first byte"
    | "at the end";
  readonly by: "destroy" | "reset";
  /** Milliseconds of the moment. */
  readonly after: number;
}

// Each is listed as often as its relative frequency.
const upstreams: readonly UpstreamPlan[] = [
  ...repeat<UpstreamPlan>("whole", 6),
  ...repeat<UpstreamPlan>("slow", 6),
  ...repeat<UpstreamPlan>("cut", 2),
  ...([
    "reset",
    "close",
    "garbage",
    "half-headers",
    "half-event",
    "dries-up",
    "too-short",
  ] as const),
  "429",
  "500",
];
const moments = [
  "once sent",
  "a moment later",
  "at the upstream",
  "at its first byte",
  "at the end",
] as const;

/**
 * The same seed gives the same storm.
 * @param endpoints the endpoints that callers use
 */
export function planStorm(
  seed: number,
  requests: number,
  sessions: number,
  endpoints: readonly StormEndpoint[] = ["chat/completions", "responses", "messages"],
): StormPlan[] {
  const random = createRandom(seed);
  const below = (bound: number): number => Math.floor(random() * bound);
  const pick = <T>(values: readonly T[]): T => {
    const value = values[below(values.length)];
    if (value === undefined) throw new Error("nothing to pick from");
    return value;
  };
  return Array.from({ length: requests }, (_, index) => ({
    id: `storm-${seed}-${index}`,
    session_id: below(4) === 0 ? null : `storm-${seed}-session-${below(sessions)}`,
    endpoint: pick(endpoints),
    stream: below(3) > 0,
    upstream: pick(upstreams),
    leave:
      below(3) === 0
        ? null
        : { at: pick(moments), by: pick(["destroy", "reset"]), after: below(60) },
  }));
}

/** Mulberry32: 32 bits of state are enough for a storm. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function repeat<T>(value: T, times: number): T[] {
  return Array.from({ length: times }, () => value);
}
