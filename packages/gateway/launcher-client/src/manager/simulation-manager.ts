import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { type JobSummary, type NewSimulation, StoreUnavailableError } from "@proj/session-store";
import { GatewayWatch } from "../gateway/gateway-watch.ts";
import {
  defaultEvaluationAttempts,
  defaultInfrastructureAttempts,
  defaultTimeouts,
  type Launch,
  type LaunchTimeouts,
} from "../launch.ts";
import { Repetition } from "../repetition.ts";
import { runAttempt } from "../simulation/run-attempt.ts";
import { traceInterrupted } from "../tracing/attempt-spans.ts";
import { temporaryFolders } from "../workdir/attempt-folders.ts";
import { AttemptsInProgress } from "./attempts-in-progress.ts";
import { Bell } from "./bell.ts";
import { leaveEndedSessions, leaveSessions } from "./ended-sessions.ts";

export interface SimulationManagerOptions
  extends Pick<Launch, "store" | "gateway" | "job_id" | "llm_model" | "runtime" | "evaluator"> {
  /** @default () => null */
  readonly llmApiKey?: Launch["llmApiKey"];
  /** Simulations at once. @default 8 */
  readonly concurrency?: number;
  /** How many attempts of a simulation may fail. Interrupted attempts do not count. @default 1 */
  readonly maxAttempts?: number;
  /** How many attempts of a simulation the infrastructure may fail. They do not count as failed. @default 3 */
  readonly infrastructureAttempts?: number;
  /** How often the evaluator may fail before the attempt fails. @default 3 */
  readonly evaluationAttempts?: number;
  /** Where attempts have their folders. @default temporary ones, removed when the attempt is over */
  readonly folders?: Launch["folders"];
  readonly timeouts?: Partial<LaunchTimeouts>;
  /**
   * How long a launcher may be silent before its attempts are interrupted and their simulations begun again, in
   * milliseconds. A launcher sends six heartbeats in this time. Use the same value for all launchers of a job.
   * @default 60000
   */
  readonly heartbeatTimeoutMs?: number;
  /**
   * Makes spans of attempts, their runs, evaluations and rewards. The tracer belongs to the caller, who closes it.
   * @default nothing is traced
   */
  readonly tracing?: Launch["tracing"];
  readonly tell?: Launch["tell"];
}

/**
 * Runs the simulations of one job in order, many at once, until each is finished or has failed. Several managers, on
 * several machines, may work on one job: each simulation belongs to one at a time. Running an interrupted job with
 * another manager continues where it stopped.
 */
export class SimulationManager {
  readonly #launch: Launch;
  readonly #concurrency: number;
  readonly #heartbeatTimeoutMs: number;
  readonly #attempts: AttemptsInProgress;
  readonly #bell = new Bell();
  /** Settles when everything that was claimed has begun. */
  #claiming: Promise<void> = Promise.resolve();
  #isPaused = false;
  #isStopping = false;

  constructor(options: SimulationManagerOptions) {
    const { concurrency = 8, maxAttempts = 1, heartbeatTimeoutMs = 60_000 } = options;
    const { evaluationAttempts = defaultEvaluationAttempts } = options;
    const { infrastructureAttempts = defaultInfrastructureAttempts } = options;
    requirePositive("concurrency", concurrency);
    requirePositive("maxAttempts", maxAttempts);
    requirePositive("evaluationAttempts", evaluationAttempts);
    requirePositive("infrastructureAttempts", infrastructureAttempts);
    requirePositive("heartbeatTimeoutMs", heartbeatTimeoutMs);
    const owner = `${hostname()}:${process.pid}:${randomUUID()}`;
    const { store, gateway, job_id, llm_model, runtime, evaluator, tell = () => {} } = options;
    this.#launch = {
      store,
      gateway,
      job_id,
      llm_model,
      runtime,
      evaluator,
      owner,
      llmApiKey: options.llmApiKey ?? (() => null),
      max_attempts: maxAttempts,
      max_infrastructure_attempts: infrastructureAttempts,
      folders: options.folders ?? temporaryFolders(),
      timeouts: { ...defaultTimeouts, ...options.timeouts },
      evaluation_attempts: evaluationAttempts,
      watch: new GatewayWatch(gateway, tell),
      tracing: options.tracing ?? null,
      tell,
    };
    this.#concurrency = concurrency;
    this.#heartbeatTimeoutMs = heartbeatTimeoutMs;
    this.#attempts = new AttemptsInProgress(store, owner, () => this.#bell.ring());
  }

  /**
   * Adds simulations to the job; those it already has stay unchanged.
   * @returns how many were added
   * @throws StoreUnavailableError
   */
  async add(simulations: readonly NewSimulation[]): Promise<number> {
    const added = await this.#launch.store.addSimulations(this.#launch.job_id, simulations);
    this.#bell.ring();
    return added;
  }

  /** Starts no more simulations until `resume`; running ones go on. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#bell.ring();
  }

  /** Starts no more simulations: `run` ends when the running ones have ended. */
  stop(): void {
    this.#isStopping = true;
    this.#bell.ring();
  }

  /**
   * Resolves when every simulation of the job is finished or has failed, in any launcher, or after `stop`. An abort
   * gives running simulations back: they are interrupted, and any launcher can begin them again.
   * @throws StoreUnavailableError the storage cannot be reached at the start or at the end
   * @throws Error the job has no simulations
   */
  async run(signal: AbortSignal = new AbortController().signal): Promise<JobSummary> {
    const { store, job_id, max_attempts, max_infrastructure_attempts, tell } = this.#launch;
    const stopNow = (): void => {
      this.stop();
      this.#attempts.abortAll("stopped");
    };
    signal.throwIfAborted();
    await this.#interruptStale();
    await store.retryFailed(job_id, max_attempts, max_infrastructure_attempts);
    await leaveEndedSessions(this.#launch);
    tell({ event: "job_started", ...(await this.#readJob()) });
    signal.addEventListener("abort", stopNow, { once: true });
    if (signal.aborted) stopNow();
    this.#launch.watch.begin();
    // Two loops, because sessions may take long to close and heartbeats must not be late.
    const beating = new Repetition(this.#heartbeatTimeoutMs / 6, () =>
      this.#unlessUnavailable(() => this.#attempts.heartbeat()),
    );
    const watching = new Repetition(this.#heartbeatTimeoutMs / 6, () =>
      this.#unlessUnavailable(() => this.#interruptOthers()),
    );
    try {
      while (!(await this.#beginAndAsk())) await this.#bell.heard();
      if (signal.aborted) this.#attempts.abortAll("stopped");
      await this.#attempts.allEnded();
    } finally {
      signal.removeEventListener("abort", stopNow);
      await Promise.all([beating.end(), watching.end(), this.#launch.watch.end()]);
      await this.#launch.folders.close();
    }
    // Sessions of launchers that died since, or while the gateway was out of reach.
    if (!signal.aborted) await leaveEndedSessions(this.#launch);
    const job = await this.#readJob();
    tell({ event: "job_ended", ...job });
    return job;
  }

  /** Fills the free places. @returns whether nothing is left to begin, now or later */
  async #beginAndAsk(): Promise<boolean> {
    const limit = this.#concurrency - this.#attempts.size;
    if (this.#isStopping) return true;
    if (this.#isPaused || limit === 0) return false;
    let isOver = false;
    await this.#unlessUnavailable(async () => {
      this.#claiming = this.#beginClaimed(limit);
      await this.#claiming;
      if (this.#attempts.size > 0) return;
      const { pending, running } = await this.#readJob();
      isOver = pending === 0 && running === 0;
    });
    return isOver;
  }

  async #beginClaimed(limit: number): Promise<void> {
    const { store, owner, job_id } = this.#launch;
    for (const environment of await store.claim({ job_id, owner, limit })) {
      this.#attempts.begin(environment, (ending) => runAttempt(environment, this.#launch, ending));
    }
  }

  /**
   * A launcher that was held up would find its own attempts stale, even those that it is still claiming, so it sends
   * its heartbeats first.
   */
  async #interruptOthers(): Promise<void> {
    const heardAt = Date.now();
    await Promise.allSettled([this.#claiming]);
    await this.#attempts.heartbeat();
    if (Date.now() - heardAt < this.#heartbeatTimeoutMs / 2) await this.#interruptStale();
  }

  /** Begins again what dead launchers had begun. */
  async #interruptStale(): Promise<void> {
    const { store, job_id, tell, tracing } = this.#launch;
    const interrupted = await store.interruptStale(job_id, this.#heartbeatTimeoutMs);
    for (const row of interrupted) {
      const { session_id, simulation_id, attempt } = row;
      traceInterrupted(tracing, row);
      tell({ event: "simulation_interrupted", job_id, simulation_id, attempt, session_id });
    }
    // There may be something new to begin, or nothing left to wait for.
    this.#bell.ring();
    await leaveSessions(
      interrupted.map(({ session_id }) => session_id),
      this.#launch,
    );
  }

  async #readJob(): Promise<JobSummary> {
    const { store, job_id } = this.#launch;
    const job = await store.readJob(job_id);
    if (job === null) throw new Error(`job '${job_id}' has no simulations: add some`);
    return job;
  }

  async #unlessUnavailable(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      this.#launch.tell({ event: "storage_unavailable", message: error.message });
    }
  }
}

function requirePositive(name: string, value: number): void {
  if (!(value > 0)) throw new RangeError(`${name} must be a positive number, not ${value}`);
}
