import {
  type OpenSpan,
  parseTraceparent,
  type SpanCounts,
  sessionPlace,
  type Tracer,
} from "@proj/opentelemetry";
import type { AnswerFacts } from "../bodies/answer-facts.ts";
import type { Answer } from "../call/answer.ts";
import type { Call } from "../call/call.ts";
import type { AttemptTrace, CallTrace } from "../call/call-trace.ts";
import type { CallError } from "../errors/gateway-error.ts";
import { describeOutcome } from "../recording/outcome.ts";
import type { ClosedSession } from "../session/session-context.ts";
import { callAttributes, errorOf, operationOf, requestModelOf } from "./call-attributes.ts";
import { contentAttributes } from "./content-attributes.ts";

/** Spans of calls and sessions, by the GenAI semantic conventions. */
export class CallTracing {
  readonly #tracer: Tracer;
  readonly #capturesContent: boolean;

  constructor(tracer: Tracer, capturesContent: boolean) {
    this.#tracer = tracer;
    this.#capturesContent = capturesContent;
  }

  get counts(): SpanCounts {
    return this.#tracer.counts;
  }

  /** A span of the caller's trace, or else of the session's; of a call without either, one of its own. */
  begin(call: Call): TracedCall {
    const { session_id, headers } = call;
    const caller = parseTraceparent(headers.traceparent);
    const session = session_id === null ? null : sessionPlace(session_id);
    const span = this.#tracer.begin({
      name: `${operationOf(call)} ${requestModelOf(call)}`,
      kind: "client",
      parent: caller ?? session,
      links: caller === null || session === null ? [] : [session],
      started_at: call.timings.startedAt,
    });
    return new TracedCall(this.#tracer, span, call, this.#capturesContent);
  }

  /** The span that the session's calls belong to. @param traceparent of the close; null: it had none */
  sessionClosed(session: ClosedSession, traceparent: string | null): void {
    const { session_id, environment, closeRecord } = session;
    this.#tracer
      .begin({
        name: "session",
        parent: parseTraceparent(traceparent),
        place: sessionPlace(session_id),
        started_at: session.createdAt,
      })
      .end({
        attributes: {
          "gen_ai.conversation.id": session_id,
          "session.id": session_id,
          "gateway.job_id": environment?.job_id,
          "gateway.simulation_id": environment?.simulation_id,
          "gateway.attempt": environment?.attempt,
          "gateway.close.reason": closeRecord?.reason ?? undefined,
        },
        error: null,
        ended_at: session.closedAt ?? Date.now(),
      });
  }

  /** What became of a step whose answer was made in the background: its use is told here alone. */
  stepCompleted(call: Call, { started_at, step_id }: CompletedStep, facts: AnswerFacts): void {
    const { session_id } = call;
    this.#tracer
      .begin({
        name: `${operationOf(call)} ${requestModelOf(call)}`,
        kind: "client",
        parent: session_id === null ? null : sessionPlace(session_id),
        started_at,
      })
      .end({
        attributes: {
          ...callAttributes(call, facts, describeOutcome(200, facts, null), started_at),
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

  beginAttempt(replica: string): AttemptTrace {
    const { attempts } = this.#call;
    const { hostname, port, protocol } = new URL(replica);
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
          attributes: {
            "http.request.method": "POST",
            "http.request.resend_count": attempts > 1 ? attempts - 1 : undefined,
            "http.response.status_code": status ?? undefined,
            "server.address": hostname,
            "server.port": portOf(port, protocol),
          },
          error: error ?? (status !== null && status >= 400 ? String(status) : null),
          ended_at: this.#now(),
        }),
    };
  }

  /** Of a call that was not forwarded nothing is told: it used nothing, and has no row. */
  end(answer: Answer | null, facts: AnswerFacts | null, error: CallError | null): void {
    const call = this.#call;
    if (call.timings.forwarded === 0 && call.replayed === null) return;
    const outcome = describeOutcome(answer?.upstream?.status ?? null, facts, error);
    this.#span.end({
      attributes: {
        ...callAttributes(call, facts, outcome),
        ...(this.#capturesContent ? contentAttributes(call, facts) : {}),
      },
      error: errorOf(outcome),
      ended_at: this.#now(),
    });
  }

  /** By the clock of the call's start: one that is set meanwhile changes no duration. */
  #now(): number {
    const { startedAt, started } = this.#call.timings;
    return startedAt + performance.now() - started;
  }
}

const portOf = (port: string, protocol: string): number =>
  port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
