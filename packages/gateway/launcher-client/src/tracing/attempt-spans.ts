import {
  type Attributes,
  type OpenSpan,
  parseTraceparent,
  type SpanPlace,
  simulationPlace,
  type Tracer,
  traceparentOf,
} from "@proj/opentelemetry";
import type { EnvironmentRow } from "@proj/session-store";
import type { LauncherEvent } from "../launcher-event.ts";

/** How simulations are traced. */
export interface SimulationTracing {
  readonly tracer: Tracer;
  /** The W3C trace context of whatever runs the job; every simulation links to it. @default none */
  readonly traceparent?: string | null | undefined;
}

/** What a session used, as the gateway reported when it closed. */
export interface SessionUse {
  readonly tokens: number;
  readonly cost_nano_usd: number;
  readonly models: Readonly<Record<string, { readonly steps: number }>>;
}

/** One part of an attempt, while it runs. */
export interface PartSpan {
  /** The trace context for requests made in this part; undefined: it is not traced. */
  readonly traceparent: string | undefined;
  set(attributes: Attributes): void;
}

/** The spans of one attempt: the simulation's, and one for each of its parts below it. */
export interface AttemptSpans {
  /** The simulation's own trace context; undefined: it is not traced. */
  readonly traceparent: string | undefined;
  /** Wraps `tell` to learn the attempt's outcome from its events. */
  hearing(tell: (event: LauncherEvent) => void): (event: LauncherEvent) => void;
  during<T>(name: string, attributes: Attributes, work: (span: PartSpan) => Promise<T>): Promise<T>;
  used(session: SessionUse): void;
  end(): void;
}

const untracedPart: PartSpan = { traceparent: undefined, set: () => {} };

export const untraced: AttemptSpans = {
  traceparent: undefined,
  hearing: (tell) => tell,
  during: (_name, _attributes, work) => work(untracedPart),
  used: () => {},
  end: () => {},
};

/** What identifies an attempt. */
type Attempt = Pick<
  EnvironmentRow,
  "session_id" | "job_id" | "simulation_id" | "attempt" | "group_id" | "env_name"
>;

/** @param tracing null: nothing is traced */
export const attemptSpans = (tracing: SimulationTracing | null, attempt: Attempt): AttemptSpans =>
  tracing === null ? untraced : new TracedAttempt(tracing, attempt);

/** The trace context for a simulation's requests; undefined: it is not traced. */
export const simulationTraceparent = (
  tracing: SimulationTracing | null,
  session_id: string,
): string | undefined =>
  tracing === null ? undefined : traceparentOf(simulationPlace(session_id));

/** Writes the simulation's span for an attempt whose launcher fell silent and may never have sent it. */
export function traceInterrupted(tracing: SimulationTracing | null, row: EnvironmentRow): void {
  if (tracing === null) return;
  const started_at = row.started_at === null ? Date.now() : Date.parse(row.started_at);
  beginSimulation(tracing, row, started_at).end({
    attributes: { ...identityOf(row), "simulation.outcome": "interrupted" },
    error: "launcher_silent",
    ended_at: Date.now(),
  });
}

class TracedAttempt implements AttemptSpans {
  readonly traceparent: string;
  readonly #tracing: SimulationTracing;
  readonly #attempt: Attempt;
  readonly #startedAt = Date.now();
  readonly #started = performance.now();
  #outcome: LauncherEvent | null = null;
  #use: SessionUse | null = null;

  constructor(tracing: SimulationTracing, attempt: Attempt) {
    this.#tracing = tracing;
    this.#attempt = attempt;
    this.traceparent = traceparentOf(simulationPlace(attempt.session_id));
  }

  hearing(tell: (event: LauncherEvent) => void): (event: LauncherEvent) => void {
    return (event) => {
      if (outcomes.has(event.event)) this.#outcome = event;
      tell(event);
    };
  }

  async during<T>(
    name: string,
    attributes: Attributes,
    work: (span: PartSpan) => Promise<T>,
  ): Promise<T> {
    const span = this.#tracing.tracer.begin({
      name,
      parent: simulationPlace(this.#attempt.session_id),
      started_at: this.#now(),
    });
    const all = { ...identityOf(this.#attempt), ...attributes };
    const part = {
      traceparent: span.traceparent,
      set: (more: Attributes) => void Object.assign(all, more),
    };
    let error: string | null = null;
    try {
      return await work(part);
    } catch (reason) {
      error = errorOf(reason);
      throw reason;
    } finally {
      span.end({ attributes: all, error, ended_at: this.#now() });
    }
  }

  used(session: SessionUse): void {
    this.#use = session;
  }

  end(): void {
    const told = this.#outcome;
    // The launcher that took over the attempt sends its span.
    if (told?.event === "simulation_lost") return;
    const hasFailed =
      told?.event === "simulation_failed" || told?.event === "infrastructure_failed";
    const error = hasFailed ? codeOf(told.error) : null;
    const use = this.#use;
    beginSimulation(this.#tracing, this.#attempt, this.#startedAt).end({
      attributes: {
        ...identityOf(this.#attempt),
        "simulation.outcome": told === null ? "unknown" : outcomes.get(told.event),
        "simulation.reward": told?.event === "simulation_finished" ? told.reward : undefined,
        "simulation.tokens": use?.tokens,
        "simulation.cost_nano_usd": use?.cost_nano_usd,
        "simulation.steps": use === null ? undefined : stepsOf(use),
      },
      error: told === null ? "storage_unavailable" : error,
      ended_at: this.#now(),
    });
  }

  /** Wall-clock time of the attempt's start plus elapsed time, so that setting the clock changes no duration. */
  #now(): number {
    return this.#startedAt + performance.now() - this.#started;
  }
}

const outcomes: ReadonlyMap<LauncherEvent["event"], string> = new Map([
  ["simulation_finished", "finished"],
  ["simulation_failed", "failed"],
  ["infrastructure_failed", "infrastructure"],
  ["simulation_interrupted", "interrupted"],
  ["simulation_lost", "lost"],
]);

function beginSimulation(
  { tracer, traceparent }: SimulationTracing,
  { session_id }: Attempt,
  started_at: number,
): OpenSpan {
  const place: SpanPlace = simulationPlace(session_id);
  const caller = parseTraceparent(traceparent);
  return tracer.begin({
    name: "simulation",
    parent: null,
    place,
    links: caller === null ? [] : [caller],
    started_at,
  });
}

const identityOf = (attempt: Attempt): Attributes => ({
  "gen_ai.conversation.id": attempt.session_id,
  "session.id": attempt.session_id,
  "gateway.job_id": attempt.job_id,
  "gateway.simulation_id": attempt.simulation_id,
  "gateway.attempt": attempt.attempt,
  "gateway.group_id": attempt.group_id ?? undefined,
  "simulation.env_name": attempt.env_name ?? undefined,
});

const stepsOf = ({ models }: SessionUse): number =>
  Object.values(models).reduce((sum, { steps }) => sum + steps, 0);

/** The error's code if it has one, otherwise its class. */
function errorOf(reason: unknown): string {
  if (!(reason instanceof Error)) return String(reason);
  return "code" in reason && typeof reason.code === "string" ? reason.code : reason.name;
}

/** The code that an error's text begins with. */
const codeOf = (text: string): string => text.slice(0, text.indexOf(":"));
