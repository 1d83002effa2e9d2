import type { AnswerFacts } from "@proj/model-apis";
import type { Answer } from "../call/answer.ts";
import type { Call } from "../call/call.ts";
import type { Stage } from "../call/stage.ts";
import { asCallError, type CallError } from "../errors/gateway-error.ts";
import { gapSentence, priceGaps } from "../prices/price-gaps.ts";
import { callLogEntry } from "../request-log/call-log-entry.ts";
import type { RequestLog } from "../request-log/request-log.ts";
import type { CallTracing } from "../tracing/call-tracing.ts";

/** Reports calls, and changes nothing about them. */
export interface CallObserver {
  begun?(call: Call): void;
  /**
   * Nothing of the call is left.
   * @param answer null: it got none
   * @param facts what was read from the answer
   * @param error why it got none, or how the answer failed
   */
  ended(
    call: Call,
    answer: Answer | null,
    facts: AnswerFacts | null,
    error: CallError | null,
  ): void;
}

/**
 * Tells the observers, in their order, how each call ended; after that, the call no longer needs its body. One stage
 * for all, as each stage costs a promise.
 */
export function observeCall<C extends Call>(observers: readonly CallObserver[]): Stage<C> {
  const ended: CallObserver["ended"] = (call, answer, facts, error) => {
    for (const observer of observers) observer.ended(call, answer, facts, error);
    call.memory.release();
  };
  return (next) => async (call) => {
    for (const observer of observers) observer.begun?.(call);
    try {
      const answer = await next(call);
      whenSettled(answer, (facts, error) => ended(call, answer, facts, error));
      return answer;
    } catch (error) {
      ended(call, null, null, asCallError(error));
      throw error;
    }
  };
}

/** Calls back once nothing of the answer is left, with what was read from it and how it failed. */
function whenSettled(
  answer: Answer,
  act: (facts: AnswerFacts | null, error: CallError | null) => void,
): void {
  answer.settled.when(({ error }) => {
    const facts = answer.reading?.facts() ?? null;
    if (facts instanceof Promise) void facts.then((read) => act(read, error));
    else act(facts, error);
  });
}

/** Writes a line to the request log for each call, refused ones included. */
export const logRequest = (log: RequestLog): CallObserver => ({
  ended: (call, answer, facts, error) =>
    log.write(callLogEntry(call, answer, facts, error, log.bodyLimit)),
});

/** An upstream names them: few enough to be remembered. */
const maxGaps = 1_024;

/** Says once for each route and part of a usage that the route's prices do not cover it. */
export function namePriceGaps(warn: (sentence: string) => void): CallObserver {
  const named = new Set<string>();
  return {
    ended: ({ route, timings, replayed }, _answer, facts) => {
      const { prices } = route.config;
      if (facts === null || prices.length === 0 || replayed !== null) return;
      if (facts.billed === undefined && (facts.cache_write_tokens ?? 0) === 0) return;
      for (const gap of priceGaps(prices, timings.startedAt, facts)) {
        const sentence = gapSentence(route.model, gap);
        if (named.has(sentence) || named.size >= maxGaps) continue;
        named.add(sentence);
        warn(sentence);
      }
    },
  };
}

/** Makes a span for each forwarded call. */
export const traceCall = (tracing: CallTracing): CallObserver => ({
  begun: (call) => {
    call.trace = tracing.begin(call);
  },
  ended: (call, answer, facts, error) => call.trace?.end(answer, facts, error),
});
