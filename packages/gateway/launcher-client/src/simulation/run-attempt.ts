import type { SimulationResult } from "@proj/gateway-protocol";
import { type EnvironmentRow, StoreUnavailableError } from "@proj/session-store";
import { closeSession } from "../gateway/close-session.ts";
import type { Launch } from "../launch.ts";
import type { AttemptReference } from "../launcher-event.ts";
import { retryStore } from "../reward/store-retry.ts";
import { upstreamRefusal } from "../reward/upstream-refusal.ts";
import { type AttemptSpans, attemptSpans } from "../tracing/attempt-spans.ts";
import type { AttemptFolder } from "../workdir/attempt-folder.ts";
import { AttemptFailure } from "./attempt-failure.ts";
import { beginFork } from "./begin-fork.ts";
import { judge } from "./judge.ts";
import { abandonSession, cleanSession } from "./leave-session.ts";
import { play } from "./play.ts";
import { type Settled, settle } from "./settle.ts";
import { startRequest } from "./start-request.ts";
import { watchForStop } from "./stop-watch.ts";
import { cutOff, isOutOfBudget, withTruncation } from "./truncation.ts";

/** Named by the GenAI semantic conventions. */
const runAttributes = { "gen_ai.operation.name": "invoke_agent" };

/** Why an attempt is aborted: the launcher stops, or the attempt no longer belongs to it. */
export type AbortCause = "stopped" | "lost";

/**
 * Takes one claimed attempt to its end: play, close, evaluate, commit, clean. Never rejects.
 * @param signal its reason is an `AbortCause`
 */
export async function runAttempt(
  environment: EnvironmentRow,
  launch: Launch,
  signal: AbortSignal,
): Promise<void> {
  const spans = attemptSpans(launch.tracing, environment);
  try {
    await runTraced(environment, { ...launch, spans, tell: spans.hearing(launch.tell) }, signal);
  } finally {
    spans.end();
  }
}

/** A launch with the spans of one attempt. */
interface TracedLaunch extends Launch {
  readonly spans: AttemptSpans;
}

async function runTraced(
  environment: EnvironmentRow,
  launch: TracedLaunch,
  signal: AbortSignal,
): Promise<void> {
  const attempt = referenceOf(environment);
  try {
    await conclude(environment, attempt, launch, signal);
  } catch (error) {
    if (signal.aborted && signal.reason === "lost") {
      launch.tell({ event: "simulation_lost", ...attempt });
      // The launcher that interrupted the attempt does this too, unless it died first.
      await abandonSession(attempt.session_id, launch);
    } else if (signal.aborted) {
      await giveBack(attempt, launch);
    } else {
      // The attempt stays claimed and is interrupted once its heartbeats are old enough.
      launch.tell({ event: "storage_unavailable", message: String(error) });
    }
  }
}

async function conclude(
  environment: EnvironmentRow,
  attempt: AttemptReference,
  launch: TracedLaunch,
  signal: AbortSignal,
): Promise<void> {
  const { session_id } = attempt;
  const startedAt = performance.now();
  launch.tell({ event: "simulation_started", ...attempt });
  const session = { isClosed: false };
  const folder = launch.folders.of(session_id);
  try {
    const { reward, truncated_by, settled } = await earnReward(
      environment,
      session,
      folder,
      launch,
      signal,
    );
    const duration_ms = performance.now() - startedAt;
    if (settled === null) launch.tell({ event: "simulation_lost", ...attempt });
    else {
      const { step_id } = settled;
      const outcome = { reward, step_id, truncated_by, duration_ms };
      launch.tell({ event: "simulation_finished", ...attempt, ...outcome });
    }
  } catch (error) {
    if (signal.aborted || error instanceof StoreUnavailableError) throw error;
    const failure = failureOf(error);
    if (await isOfGateway(failure, attempt, startedAt, launch)) await giveBack(attempt, launch);
    else if (await recordFailure(failure, attempt, launch, signal)) {
      const { last_output } = failure;
      const duration_ms = performance.now() - startedAt;
      const outcome = { error: failure.text, last_output, duration_ms };
      launch.tell({ event: "simulation_failed", ...attempt, ...outcome });
    }
  } finally {
    await leaveFolder(folder, attempt, launch);
  }
  // Even after a lost attempt: closing the session may have opened it again.
  if (session.isClosed) await cleanSession(session_id, launch);
}

async function earnReward(
  environment: EnvironmentRow,
  session: { isClosed: boolean },
  folder: AttemptFolder,
  launch: TracedLaunch,
  signal: AbortSignal,
): Promise<Pick<SimulationResult, "truncated_by"> & { reward: number; settled: Settled | null }> {
  const { session_id } = environment;
  const request = await startRequest(environment, launch, signal);
  await beginFork(environment, launch, signal);
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
  // An agent that a spent budget ended, well or not, was cut off: it is scored for what it did.
  if (played[0].status === "rejected" && !isOutOfBudget(end)) throw played[0].reason;
  const result =
    played[0].status === "rejected"
      ? cutOff(request, "budget", String(played[0].reason.message))
      : withTruncation(played[0].value, end);
  const { llm_api_key: _, ...simulation } = request;
  const evaluation = await judge({ simulation, result, workdir: folder.work }, launch, signal);
  const reward = { "simulation.reward": evaluation.score };
  const settled = await spans.during("reward", reward, () =>
    settle(environment, result, evaluation, launch, signal),
  );
  return { reward: evaluation.score, truncated_by: result.truncated_by, settled };
}

async function leaveFolder(
  folder: AttemptFolder,
  { session_id }: AttemptReference,
  { folders, tell }: Launch,
): Promise<void> {
  try {
    await folders.leave(folder);
  } catch (error) {
    tell({ event: "folder_left", session_id, reason: String(error) });
  }
}

/** @returns false: the attempt no longer belonged to this launcher */
async function recordFailure(
  failure: AttemptFailure,
  attempt: AttemptReference,
  launch: Launch,
  signal: AbortSignal,
): Promise<boolean> {
  const { store, tell, owner, llm_model, max_attempts, timeouts } = launch;
  const { session_id } = attempt;
  const isOurs = await retryStore(
    () =>
      store.fail({
        session_id,
        owner,
        error: failure.text,
        result: failure.result === null ? null : JSON.stringify(failure.result),
        max_attempts,
      }),
    { timeoutMs: timeouts.storageMs, signal },
  );
  if (!isOurs) {
    tell({ event: "simulation_lost", ...attempt });
    return false;
  }
  const refusal = await upstreamRefusal(store, session_id, llm_model).catch(ignoreUnavailable);
  if (refusal !== null) {
    const { upstream_status_code, message } = refusal;
    const model = llm_model;
    tell({ event: "upstream_refused", ...attempt, model, upstream_status_code, message });
  }
  return true;
}

/**
 * The launcher stops, or the gateway was away: interrupts the attempt at once, without counting it as failed, so that
 * a launcher can begin the next one immediately.
 */
async function giveBack(attempt: AttemptReference, launch: Launch): Promise<void> {
  const { store, owner, tell } = launch;
  try {
    const given = await store.interrupt(owner, [attempt.session_id]);
    if (given.length === 0) return;
    tell({ event: "simulation_interrupted", ...attempt });
    await abandonSession(attempt.session_id, launch);
  } catch (error) {
    tell({ event: "storage_unavailable", message: String(error) });
  }
}

/** How many attempts a simulation may lose to an absent gateway before it fails for good. */
const mostAttempts = 20;

/** Whether an agent failed while the gateway was away, and so perhaps because of that. */
async function isOfGateway(
  { code }: AttemptFailure,
  { attempt }: AttemptReference,
  startedAt: number,
  { watch }: Launch,
): Promise<boolean> {
  const isOfAgent = code.startsWith("runtime_") || code === "no_successful_step";
  return isOfAgent && attempt < mostAttempts && (await watch.wasAwaySince(startedAt));
}

/** An unexpected error fails the attempt too: if it stayed claimed, it would be tried forever. */
function failureOf(error: unknown): AttemptFailure {
  return error instanceof AttemptFailure
    ? error
    : new AttemptFailure("launcher_failed", error instanceof Error ? error.message : String(error));
}

function ignoreUnavailable(error: unknown): null {
  if (error instanceof StoreUnavailableError) return null;
  throw error;
}

function referenceOf({
  job_id,
  simulation_id,
  attempt,
  session_id,
}: EnvironmentRow): AttemptReference {
  return { job_id, simulation_id, attempt, session_id };
}
