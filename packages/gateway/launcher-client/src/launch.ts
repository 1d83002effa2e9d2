import type { JobStore } from "@proj/session-store";
import type { Evaluator } from "./evaluator/evaluator.ts";
import type { GatewayClient } from "./gateway/gateway-client.ts";
import type { GatewayWatch } from "./gateway/gateway-watch.ts";
import type { LauncherEvent } from "./launcher-event.ts";
import type { AgentRuntime } from "./runtime/agent-runtime.ts";
import type { SimulationTracing } from "./tracing/attempt-spans.ts";
import type { AttemptFolders } from "./workdir/attempt-folders.ts";

/** What the attempts of one job have in common. */
export interface Launch {
  readonly store: JobStore;
  readonly gateway: GatewayClient;
  readonly job_id: string;
  /** The route key that the runtimes use, and whose last successful step gets the reward. */
  readonly llm_model: string;
  readonly runtime: AgentRuntime;
  readonly evaluator: Evaluator;
  /** The key that the runtime gets for its session; null: the gateway requires none. */
  readonly llmApiKey: (session_id: string) => string | null;
  /** Distinguishes this launcher from every other. */
  readonly owner: string;
  /** How many attempts of a simulation may fail. Interrupted attempts do not count. */
  readonly max_attempts: number;
  /** How many attempts of a simulation the infrastructure may fail. They do not count as failed. */
  readonly max_infrastructure_attempts: number;
  /** How often the evaluator may fail before the attempt fails. The simulation is not played again for it. */
  readonly evaluation_attempts: number;
  readonly folders: AttemptFolders;
  readonly watch: GatewayWatch;
  readonly timeouts: LaunchTimeouts;
  /** Null: nothing is traced. */
  readonly tracing: SimulationTracing | null;
  /** Called with each event, in order. It must not throw. */
  readonly tell: (event: LauncherEvent) => void;
}

/** In milliseconds. */
export interface LaunchTimeouts {
  /** For the runtime. @default 3600000 */
  readonly simulationMs: number;
  /** For a runtime that is queued, before its agent begins and `simulationMs` starts. @default 86400000 */
  readonly queueMs: number;
  /** For an agent that goes on after its budget was spent, from when that was seen. @default 30000 */
  readonly stopGraceMs: number;
  /** Between two looks whether a budget was spent. @default 5000 */
  readonly stopLookMs: number;
  /** For the evaluator. @default 600000 */
  readonly evaluationMs: number;
  /** Before an evaluator that failed is asked again; doubles each time, up to a minute. @default 1000 */
  readonly evaluationRetryMs: number;
  /** For a gateway that is away when an attempt should begin. @default 3600000 */
  readonly gatewayMs: number;
  /** For a session to close; evaluation follows even if it has not. @default 120000 */
  readonly closeMs: number;
  /** Between two looks for the step that gets the reward; after the first there are three more. @default 10000 */
  readonly rewardRetryMs: number;
  /** How long a write is retried while the storage is unavailable. @default 300000 */
  readonly storageMs: number;
}

export const defaultTimeouts: LaunchTimeouts = {
  simulationMs: 3_600_000,
  queueMs: 86_400_000,
  stopGraceMs: 30_000,
  stopLookMs: 5_000,
  evaluationMs: 600_000,
  evaluationRetryMs: 1_000,
  gatewayMs: 3_600_000,
  closeMs: 120_000,
  rewardRetryMs: 10_000,
  storageMs: 300_000,
};

export const defaultEvaluationAttempts = 3;
export const defaultInfrastructureAttempts = 3;
