import { type EnvironmentRow, StoreUnavailableError } from "@proj/session-store";
import type { Launch } from "../launch.ts";
import type { AttemptReference } from "../launcher-event.ts";
import { retryStore } from "../reward/store-retry.ts";
import { upstreamRefusal } from "../reward/upstream-refusal.ts";
import { attemptSpans } from "../tracing/attempt-spans.ts";
import type { AttemptFolder } from "../workdir/attempt-folder.ts";
import { AttemptFailure } from "./attempt-failure.ts";
import { earnReward, type TracedLaunch } from "./earn-reward.ts";
import { abandonSession, cleanSession } from "./leave-session.ts";

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
      const event = failure.isInfrastructure ? "infrastructure_failed" : "simulation_failed";
      launch.tell({ event, ...attempt, ...outcome });
    }
  } finally {
    await leaveFolder(folder, attempt, launch);
  }
  // Even after a lost attempt: closing the session may have opened it again.
  if (session.isClosed) await cleanSession(session_id, launch);
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

/** How the attempt ends, and after how many of that kind its simulation is not tried again. */
const boundOf = ({ isInfrastructure }: AttemptFailure, launch: Launch) =>
  isInfrastructure
    ? { status: "infrastructure" as const, max_attempts: launch.max_infrastructure_attempts }
    : { status: "failed" as const, max_attempts: launch.max_attempts };

/** @returns false: the attempt no longer belonged to this launcher */
async function recordFailure(
  failure: AttemptFailure,
  attempt: AttemptReference,
  launch: Launch,
  signal: AbortSignal,
): Promise<boolean> {
  const { store, tell, owner, llm_model, timeouts } = launch;
  const { session_id } = attempt;
  const isOurs = await retryStore(
    () =>
      store.fail({
        session_id,
        owner,
        error: failure.text,
        result: failure.stored,
        ...boundOf(failure, launch),
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
const maxAttempts = 20;

/** Whether an agent, or its last call, failed while the gateway was away, and so perhaps because of that. */
async function isOfGateway(
  { code }: AttemptFailure,
  { attempt }: AttemptReference,
  startedAt: number,
  { watch }: Launch,
): Promise<boolean> {
  const mayBeOfGateway =
    code.startsWith("runtime_") || code === "no_successful_step" || code === "gateway_failed";
  return mayBeOfGateway && attempt < maxAttempts && (await watch.wasAwaySince(startedAt));
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
