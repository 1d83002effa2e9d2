import type { SimulationResult } from "@proj/gateway-protocol";
import { parsedObject } from "@proj/model-apis/json";
import { cutFinishes } from "@proj/sequences";
import type { EnvironmentRow } from "@proj/session-store";
import { closeSession } from "../gateway/close-session.ts";
import type { Launch } from "../launch.ts";
import { retryStore } from "../reward/store-retry.ts";
import type { AttemptSpans } from "../tracing/attempt-spans.ts";
import type { AttemptFolder } from "../workdir/attempt-folder.ts";
import { AttemptFailure } from "./attempt-failure.ts";
import { beginFork } from "./begin-fork.ts";
import { faultOfLastCall } from "./infrastructure.ts";
import { judge } from "./judge.ts";
import { play } from "./play.ts";
import { requireFollowed } from "./require-followed.ts";
import { type Settled, settle } from "./settle.ts";
import { startRequest } from "./start-request.ts";
import { watchForStop } from "./stop-watch.ts";
import { cutOff, isOutOfBudget, withTruncation } from "./truncation.ts";

/** Named by the GenAI semantic conventions. */
const runAttributes = { "gen_ai.operation.name": "invoke_agent" };

/** A launch with the spans of one attempt. */
export interface TracedLaunch extends Launch {
  readonly spans: AttemptSpans;
}

/**
 * Plays an attempt, closes its session, judges it and commits the reward.
 * @param session told when its gateway has closed it, however the attempt then ends
 * @returns `settled` null: the attempt no longer belonged to this launcher
 */
export async function earnReward(
  environment: EnvironmentRow,
  session: { isClosed: boolean },
  folder: AttemptFolder,
  launch: TracedLaunch,
  signal: AbortSignal,
): Promise<Pick<SimulationResult, "truncated_by"> & { reward: number; settled: Settled | null }> {
  const { session_id } = environment;
  const request = await startRequest(environment, launch, signal);
  const fork = await beginFork(environment, launch, signal);
  const { gateway, timeouts, tell, watch, spans, llm_model } = launch;
  const stop = watchForStop(session_id, launch);
  const run = spans.during("invoke_agent", runAttributes, ({ traceparent }) =>
    play(request, launch, { folder, traceparent }, stop.signal, signal),
  );
  const played = await Promise.allSettled([run]);
  stop.end();
  signal.throwIfAborted();
  // The session must record nothing more once it is judged, however it was played. If the gateway's absence made the
  // runtime fail, note that now: closing the session may take until the gateway is back.
  if (played[0].status === "rejected") await watch.look();
  const reason = played[0].status === "fulfilled" ? "simulation ended" : "simulation failed";
  const { closed, error, status } = await closeSession(gateway, session_id, {
    timeoutMs: timeouts.closeMs,
    signal,
    traceparent: spans.traceparent,
    reason,
  });
  session.isClosed = closed;
  if (closed && status !== null) spans.used(status);
  if (!closed) {
    const why = error?.message ?? `it did not close within ${timeouts.closeMs / 1000} s`;
    tell({ event: "session_left_open", session_id, reason: why });
  }
  const end = { status, wasStopped: stop.wasStopped, llm_model, reason };
  if (played[0].status === "fulfilled") await requireFollowed(fork, session_id, launch, signal);
  // An agent that a spent budget ended, well or not, was cut off: it is scored for what it did.
  if (!isOutOfBudget(end)) {
    await requireAnswered(played[0], session_id, launch, signal);
    if (played[0].status === "rejected") throw played[0].reason;
  }
  const result =
    played[0].status === "rejected"
      ? cutOff(request, "budget", played[0].reason)
      : withTruncation(played[0].value, {
          ...end,
          hasCutAnswer: await isLastAnswerCut(session_id, launch, signal),
        });
  const { llm_api_key: _, ...simulation } = request;
  const evaluation = await judge({ simulation, result, workdir: folder.work }, launch, signal);
  const reward = { "simulation.reward": evaluation.score };
  const settled = await spans.during("reward", reward, () =>
    settle(environment, result, evaluation, launch, signal),
  );
  return { reward: evaluation.score, truncated_by: result.truncated_by, settled };
}

/**
 * Whether the answer that takes the reward reached its limit of tokens.
 * @throws StoreUnavailableError; the signal's reason
 */
async function isLastAnswerCut(
  session_id: string,
  { store, timeouts, llm_model: model }: Pick<Launch, "store" | "timeouts" | "llm_model">,
  signal: AbortSignal,
): Promise<boolean> {
  const within = { timeoutMs: timeouts.storageMs, signal };
  const last = await retryStore(() => store.readLastSuccess({ session_id, model }), within);
  const { finish_reason } = parsedObject(last?.meta_json ?? null);
  return typeof finish_reason === "string" && cutFinishes.has(finish_reason);
}

/**
 * @throws AttemptFailure the infrastructure failed the session's last call, so the agent could not go on
 * @throws StoreUnavailableError; the signal's reason
 */
async function requireAnswered(
  played: PromiseSettledResult<SimulationResult>,
  session_id: string,
  { store, timeouts }: Pick<Launch, "store" | "timeouts">,
  signal: AbortSignal,
): Promise<void> {
  const within = { timeoutMs: timeouts.storageMs, signal };
  const fault = await retryStore(() => faultOfLastCall(store, session_id), within);
  if (fault === null) return;
  const { code, message } = fault;
  if (played.status === "fulfilled")
    throw new AttemptFailure(code, message, { result: played.value });
  const { reason } = played;
  const known = reason instanceof AttemptFailure ? reason : {};
  throw new AttemptFailure(code, `${message}; then: ${String(reason.message)}`, known);
}
