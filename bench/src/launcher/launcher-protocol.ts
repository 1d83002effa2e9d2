/** The messages between the bench and the launcher's process. */

export interface LauncherRunSpec {
  readonly gateway_base_url: string;
  readonly db_url: string;
  readonly llm_model: string;
  readonly runtime_url: string;
  readonly simulations: number;
  readonly concurrency: number;
  /** Steps in each simulation. */
  readonly steps: number;
}

export interface LauncherRun {
  readonly finished: number;
  readonly failed: number;
  readonly interrupted_attempts: number;
  /** The number of events that report a fault, and the first of them. */
  readonly faults: number;
  readonly first_fault: string | null;
  readonly seconds: number;
  readonly simulations_per_second: number;
  /** From claim to commit of the reward. */
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** CPU of all the launcher's threads, from before the simulations are added to the end of the job. */
  readonly cpu_ms_per_simulation: number;
  /** Likewise until it could begin: modules, threads, database. */
  readonly start_cpu_ms: number;
  readonly peak_mb: number;
}
