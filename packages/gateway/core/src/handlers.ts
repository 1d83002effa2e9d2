import { AnswerDecoder } from "./answer-reading/answer-decoder.ts";
import { readAnswer } from "./answer-reading/read-answer.ts";
import type { StreamTimes } from "./answer-reading/stream-times.ts";
import type { Call } from "./call/call.ts";
import { compose, type Handler } from "./call/stage.ts";
import { askEngine } from "./engine/ask-engine.ts";
import type { GatewayParts } from "./http/gateway-parts.ts";
import { askUsage } from "./pipeline/ask-usage.ts";
import { countCall } from "./pipeline/count-call.ts";
import { findHistory, HistoryServer } from "./pipeline/find-history.ts";
import { followStored } from "./pipeline/follow-stored.ts";
import { limitRoute } from "./pipeline/limit-route.ts";
import {
  type CallObserver,
  logRequest,
  namePriceGaps,
  observeCall,
  traceCall,
} from "./pipeline/observe-call.ts";
import { openSession } from "./pipeline/open-session.ts";
import { recordFailure } from "./pipeline/record-failure.ts";
import { rememberUnbound } from "./pipeline/remember-unbound.ts";
import { replayRecord } from "./pipeline/replay-record.ts";
import { reserveBudget } from "./pipeline/reserve-budget.ts";
import { sendWhole } from "./pipeline/send-whole.ts";
import { serveConversation } from "./pipeline/serve-conversation.ts";
import { createStepBudget } from "./pipeline/step-budget.ts";
import { stripAnswer } from "./pipeline/strip-answer.ts";
import { takeStep } from "./pipeline/take-step.ts";
import type { BoundCall } from "./recording/bound-call.ts";
import type { StoredCall } from "./recording/stored-call.ts";

export interface Handlers {
  /** A call of a session: it takes a step and leaves a row. */
  readonly handleBound: Handler<BoundCall>;
  /** A call without a session: no state, no step, no row. */
  readonly handleUnbound: Handler<Call>;
  /**
   * Requests about responses and conversations that an upstream stores. They cost the model nothing, so they
   * take no place on the route.
   */
  readonly handleStored: Handler<StoredCall>;
}

/** The innermost handler: sends the call to its route's servers. */
const forward: Handler<Call> = (call) => call.route.upstream.forward(call);

/**
 * The stages that calls pass on their way to the upstream, and answers on their way back. Their order is the
 * design.
 */
export function createHandlers(parts: GatewayParts, streamTimes?: StreamTimes): Handlers {
  const decoder = new AnswerDecoder(parts.config.max_buffered_bytes);
  const { config, histories, recorder, registry, replays } = parts;
  const { engines, log, metrics, requestLog, tracing, unboundObjects } = parts;
  const budget = createStepBudget(config);
  const showsText = requestLog.enabled || tracing?.capturesContent === true;
  const keepsText = showsText || config.telemetry.capture_payload !== "none";
  const logging: CallObserver[] = requestLog.enabled ? [logRequest(requestLog)] : [];
  const observers: CallObserver[] = [
    countCall(metrics),
    namePriceGaps((sentence) => log.warn({}, sentence)),
    ...(tracing === null ? [] : [traceCall(tracing)]),
    ...logging,
  ];
  const served = new HistoryServer({
    ...parts,
    writeTimeoutMs: 1_000 * config.telemetry.write_timeout_s,
  });
  /** The stages of each step, whether a model or a record answers it. */
  const stepStages = [
    // Outside the row: the row keeps what the caller does not get.
    stripAnswer<BoundCall>(config.max_capture_bytes),
    // Inside the queue: numbers are given in the order of forwarding, and only to what is forwarded.
    takeStep(config, recorder, histories, budget),
    // Innermost, next to the bytes: the outer stages learn from it what the answer was.
    readAnswer<BoundCall>(config, keepsText, decoder, streamTimes),
  ];
  const bound = [
    // Outermost, so that they report everything that happened, including refusals by any stage.
    observeCall<BoundCall>(observers),
    // Before the queue: a waiting call counts as in flight, drains when the session closes, and is shown.
    openSession(registry, budget),
    // Before the queue: no place on a route is held while others hold the budget.
    reserveBudget(config, budget),
    // Outside the queue: no place on the route is held while a failure is written.
    recordFailure(),
    // Outside the queue: a call answered from a record needs no place on a route.
    replayRecord(replays, served, stepStages),
    // Outside the queue: storage may be read, and a request whose history is unknown is not a step.
    findHistory<BoundCall>(served),
    // Before the step is taken: a request given up while it waits is not a step.
    limitRoute<BoundCall>(),
    // Outside the row: the row keeps the usage that the caller did not ask for.
    askUsage(config),
    ...stepStages,
    // Inside the row, which keeps what the caller sent.
    sendWhole<BoundCall>(),
    // Innermost: all other stages see an answer in the agent's own API.
    askEngine<BoundCall>(engines, config.max_capture_bytes),
  ];
  const unbound = [
    observeCall<Call>(observers),
    findHistory<Call>(served),
    limitRoute<Call>(),
    stripAnswer<Call>(config.max_capture_bytes),
    rememberUnbound(unboundObjects),
    readAnswer<Call>(config, showsText, decoder, streamTimes),
    sendWhole<Call>(),
    askEngine<Call>(engines, config.max_capture_bytes),
  ];
  const stored = [
    observeCall<StoredCall>(logging),
    followStored(parts),
    readAnswer<StoredCall>(config, true, decoder, streamTimes),
    serveConversation(),
  ];
  return {
    handleBound: compose(bound, forward),
    handleUnbound: compose(unbound, forward),
    handleStored: compose(stored, forward),
  };
}
