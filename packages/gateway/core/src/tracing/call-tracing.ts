import type { AnswerFacts } from "@proj/model-apis";
import {
  type OpenSpan,
  parseTraceparent,
  type SpanCounts,
  type SpanPlace,
  sessionPlace,
  type Tracer,
} from "@proj/opentelemetry";
import type { Answer } from "../call/answer.ts";
import type { Call } from "../call/call.ts";
import type { AttemptTrace, CallTrace } from "../call/call-trace.ts";
import { describeOutcome, errorOf } from "../call/outcome.ts";
import type { CallError } from "../errors/gateway-error.ts";
import { costOf } from "../recording/step-cost.ts";
import type { EndedSession, LeaveReason } from "../session/session-context.ts";
import {
  attemptAttributes,
  callAttributes,
  operationOf,
  requestModelOf,
  serverOf,
} from "./call-attributes.ts";
import { contentAttributes } from "./content-attributes.ts";

/** Spans of calls and sessions, by the GenAI semantic conventions. */
export class CallTracing {
  readonly #tracer: Tracer;
  /** Whether spans hold the messages. */
  readonly capturesContent: boolean;

  constructor(tracer: Tracer, capturesContent: boolean) {
    this.#tracer = tracer;
    this.capturesContent = capturesContent;
  }

  get counts(): SpanCounts {
    return this.#tracer.counts;
  }

  /**
   * Begins a span in the caller's trace, else in the session's; a call with neither gets a trace of its own.
   */
  begin(call: Call): TracedCall {
    const { session_id, headers } = call;
    const caller = parseTraceparent(headers.traceparent);
    const session = session_id === null ? null : sessionPlace(session_id);
    const span = this.#tracer.begin({
      name: `${operationOf(call.endpoint.name)} ${requestModelOf(call)}`,
      kind: "client",
      parent: caller ?? session,
      ...(caller === null || session === null ? {} : { links: [session] }),
      started_at: call.timings.startedAt,
    });
    return new TracedCall(this.#tracer, span, call, this.capturesContent);
  }

  /**
   * Sends the span that the session's calls belong to. It stays in their trace: the caller that closed the
   * session is its parent if it is in that trace, and a link otherwise.
   * @param traceparent of the close; null: it had none
   */
  sessionClosed(session: EndedSession, traceparent: string | null): void {
    this.#sessionEnded(session, "closed", parseTraceparent(traceparent));
  }

  /** Likewise for a session that nobody closed. If it comes back, it gets a later span with the same ids. */
  sessionLeft(session: EndedSession, reason: LeaveReason): void {
    this.#sessionEnded(session, reason, null);
  }

  #sessionEnded(
    session: EndedSession,
    end: "closed" | LeaveReason,
    closer: SpanPlace | null,
  ): void {
    const { session_id, environment, closeRecord } = session;
    const place = sessionPlace(session_id);
    const isParent = closer?.trace_id === place.trace_id;
    this.#tracer
      .begin({
        name: "session",
        parent: isParent ? closer : null,
        links: closer === null || isParent ? [] : [closer],
        place,
        started_at: session.createdAt,
      })
      .end({
        attributes: {
          "gen_ai.conversation.id": session_id,
          "session.id": session_id,
          "gateway.job_id": environment?.job_id,
          "gateway.simulation_id": environment?.simulation_id,
          "gateway.attempt": environment?.attempt,
          "gateway.group_id": environment?.group_id ?? undefined,
          "gateway.session.end": end,
          "gateway.close.reason": closeRecord?.reason ?? undefined,
        },
        error: null,
        ended_at: session.closedAt ?? session.lastSeenAt,
      });
  }

  /** Sends a span for a step whose answer was made in the background; its usage is reported only there. */
  stepCompleted(call: Call, completed: CompletedStep, facts: AnswerFacts): void {
    const { started_at, step_id, cost_nano_usd } = completed;
    const { session_id } = call;
    this.#tracer
      .begin({
        name: `${operationOf(call.endpoint.name)} ${requestModelOf(call)}`,
        kind: "client",
        parent: session_id === null ? null : sessionPlace(session_id),
        started_at,
      })
      .end({
        attributes: {
          ...callAttributes(call, facts, describeOutcome(200, facts, null), cost_nano_usd),
          "gateway.step_id": step_id,
        },
        error: null,
        ended_at: Date.now(),
      });
  }

  close(): Promise<void> {
    return this.#tracer.close();
  }
}

export interface CompletedStep {
  readonly step_id: number;
  /** Milliseconds since the epoch. */
  readonly started_at: number;
  readonly cost_nano_usd: number | null;
}

/** The span of one call, and those of its attempts. */
export class TracedCall implements CallTrace {
  readonly #tracer: Tracer;
  readonly #span: OpenSpan;
  readonly #call: Call;
  readonly #capturesContent: boolean;

  constructor(tracer: Tracer, span: OpenSpan, call: Call, capturesContent: boolean) {
    this.#tracer = tracer;
    this.#span = span;
    this.#call = call;
    this.#capturesContent = capturesContent;
  }

  get place(): SpanPlace {
    return this.#span;
  }

  beginAttempt(replica: string): AttemptTrace {
    const { attempts } = this.#call.sent;
    const server = serverOf(replica);
    const span = this.#tracer.begin({
      name: "POST",
      kind: "client",
      parent: this.#span,
      started_at: this.#now(),
    });
    return {
      traceparent: span.traceparent,
      end: (status, error) =>
        span.end({
          attributes: attemptAttributes(server, attempts, status),
          error: error ?? (status !== null && status >= 400 ? String(status) : null),
          ended_at: this.#now(),
        }),
    };
  }

  /** A call that was not forwarded gets no span: it used nothing and has no row. */
  end(answer: Answer | null, facts: AnswerFacts | null, error: CallError | null): void {
    const call = this.#call;
    if (call.timings.forwarded === 0 && call.replayed === null) return;
    const outcome = describeOutcome(answer?.upstream?.status ?? null, facts, error);
    const attributes = callAttributes(call, facts, outcome, costOf(call, facts));
    this.#span.end({
      attributes: this.#capturesContent
        ? { ...attributes, ...contentAttributes(call, facts) }
        : attributes,
      error: errorOf(outcome),
      ended_at: this.#now(),
    });
  }

  /** Follows the clock reading at the call's start, so that setting the wall clock changes no duration. */
  #now(): number {
    const { startedAt, started } = this.#call.timings;
    return startedAt + performance.now() - started;
  }
}
