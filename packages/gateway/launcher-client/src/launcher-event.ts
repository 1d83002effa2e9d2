import type { TruncationCause } from "@proj/gateway-protocol";
import type { JobSummary } from "@proj/session-store";

/** What a launcher reports while it works. JSON, without secrets. */
export type LauncherEvent =
  | JobStarted
  | SimulationStarted
  | SimulationFinished
  | SimulationFailed
  | InfrastructureFailed
  | SimulationInterrupted
  | EvaluationRetried
  | EvaluationFailed
  | SimulationEvaluated
  | SimulationLost
  | SessionLeftOpen
  | FolderLeft
  | UpstreamRefused
  | StorageUnavailable
  | GatewayUnavailable
  | JobEnded;

/** The attempt, and its simulation, that an event is about. */
export interface AttemptReference {
  readonly job_id: string;
  readonly simulation_id: string;
  readonly attempt: number;
  readonly session_id: string;
}

export interface JobStarted extends JobSummary {
  readonly event: "job_started";
}

/** The agent runtime is about to get the start request. */
export interface SimulationStarted extends AttemptReference {
  readonly event: "simulation_started";
}

/** The reward is committed. */
export interface SimulationFinished extends AttemptReference {
  readonly event: "simulation_finished";
  readonly reward: number;
  /** The step that the reward was written to; null: an earlier call had committed it. */
  readonly step_id: number | null;
  /** What cut it off; null: nothing. */
  readonly truncated_by: TruncationCause | null;
  /** From the claim to the commit. */
  readonly duration_ms: number;
}

export interface SimulationFailed extends AttemptReference {
  readonly event: "simulation_failed";
  /** A code of snake_case words, a colon, and an explanation for people. */
  readonly error: string;
  /** The end of what the runtime or the evaluator printed; null: nothing. */
  readonly last_output: string | null;
  readonly duration_ms: number;
}

/** The attempt failed because of the infrastructure: it counts neither as finished nor as failed. */
export interface InfrastructureFailed extends Omit<SimulationFailed, "event"> {
  readonly event: "infrastructure_failed";
}

/** The evaluator failed and will be asked again. */
export interface EvaluationRetried extends AttemptReference {
  readonly event: "evaluation_retried";
  /** How many times it has failed. */
  readonly failures: number;
  readonly error: string;
  readonly last_output: string | null;
}

/** A simulation that was played before has a new reward. */
export interface SimulationEvaluated extends AttemptReference {
  readonly event: "simulation_evaluated";
  readonly reward: number;
  /** Null: it had none. */
  readonly previous_reward: number | null;
}

/** A simulation that was played before could not be scored again; its reward is unchanged. */
export interface EvaluationFailed extends AttemptReference {
  readonly event: "evaluation_failed";
  readonly error: string;
  readonly last_output: string | null;
}

/** The attempt's launcher died or stopped, or its gateway was away; the simulation gets another attempt. */
export interface SimulationInterrupted extends AttemptReference {
  readonly event: "simulation_interrupted";
}

/** This launcher's heartbeats were late and it lost the attempt; its work does not count. */
export interface SimulationLost extends AttemptReference {
  readonly event: "simulation_lost";
}

/** The session did not close in time, or could not be cleaned: the gateway still has it. */
export interface SessionLeftOpen {
  readonly event: "session_left_open";
  readonly session_id: string;
  readonly reason: string;
}

/** The folder of an attempt could not be removed. */
export interface FolderLeft {
  readonly event: "folder_left";
  readonly session_id: string;
  readonly reason: string;
}

/**
 * The upstream refused the route's requests: its api_key, base_url or upstream model name is wrong (specification,
 * "Errors").
 */
export interface UpstreamRefused extends AttemptReference {
  readonly event: "upstream_refused";
  /** The route key. */
  readonly model: string;
  readonly upstream_status_code: number;
  readonly message: string;
}

/** A write is retried until it succeeds or the attempt is given up. */
export interface StorageUnavailable {
  readonly event: "storage_unavailable";
  readonly message: string;
}

/** It was ready and no longer is. Work that needs it waits. */
export interface GatewayUnavailable {
  readonly event: "gateway_unavailable";
  readonly message: string;
}

export interface JobEnded extends JobSummary {
  readonly event: "job_ended";
}
