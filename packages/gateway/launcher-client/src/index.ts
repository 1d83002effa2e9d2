export type { Utterance, UtterancePart } from "@proj/model-apis/conversation";
export type { MissingIds } from "@proj/sequences/recorded";
export { type AcpOptions, acpRuntime } from "./acp/acp-runtime.ts";
export {
  type PermissionPolicy,
  type PermissionRule,
  readPermissionPolicy,
} from "./acp/permission-policy.ts";
export type { FailureKind } from "./answer/answer-failure.ts";
export type { EndpointOptions } from "./answer/ask-endpoint.ts";
export type { FunctionOptions } from "./answer/call-function.ts";
export { ArchiveError } from "./archive/archive-error.ts";
export { type ArchivedJob, type ArchiveOptions, archiveJob } from "./archive/archive-job.ts";
export { type ArchiveSelection, openArchive } from "./archive/open-archive.ts";
export { type PrunedArchived, pruneArchived } from "./archive/prune-archived.ts";
export type { CommandLimits } from "./child-process/command-limits.ts";
export type { CommandOptions, Environment } from "./child-process/command-options.ts";
export { type CommandUser, findUser } from "./child-process/command-user.ts";
export { secretVariables } from "./child-process/secret-variables.ts";
export type {
  EvaluatedSimulation,
  EvaluateOptions,
  Evaluation,
  EvaluationRequest,
  Evaluator,
} from "./evaluator/evaluator.ts";
export { EvaluatorError, type EvaluatorErrorCode } from "./evaluator/evaluator-error.ts";
export { commandEvaluator, httpEvaluator, resultEvaluator } from "./evaluator/evaluators.ts";
export {
  type EvaluationFunction,
  functionEvaluator,
  type GivenEvaluation,
} from "./evaluator/function-evaluator.ts";
export { type ForkedSession, forkSimulations } from "./forking/fork-simulations.ts";
export { replaySimulations } from "./forking/replay-simulations.ts";
export type { SessionCaller } from "./gateway/chat-in-session.ts";
export { closeSession, type SessionClose } from "./gateway/close-session.ts";
export {
  createGatewayClient,
  type GatewayClient,
  type GatewayClientOptions,
} from "./gateway/gateway-client.ts";
export {
  type JobJudgements,
  type JudgeEvent,
  type JudgeJobOptions,
  judgeJob,
} from "./judging/judge-job.ts";
export { readRubric } from "./judging/rubric.ts";
export type { Launch, LaunchTimeouts } from "./launch.ts";
export type { AttemptReference, LauncherEvent } from "./launcher-event.ts";
export {
  SimulationManager,
  type SimulationManagerOptions,
} from "./manager/simulation-manager.ts";
export { type PreflightOptions, type PreflightReport, preflight } from "./preflight/preflight.ts";
export { PreflightError, StartupError, type StartupErrorCode } from "./preflight/startup-error.ts";
export { type AgentCall, type AgentRecipe, callOf } from "./recipes/agent-recipe.ts";
export { readRecipe } from "./recipes/read-recipe.ts";
export { recipeRuntime } from "./recipes/recipe-runtime.ts";
export { type RolloutQuery, readRollouts } from "./reporting/read-rollouts.ts";
export {
  type EvaluateJobOptions,
  evaluateJob,
  type JobEvaluation,
} from "./rescoring/evaluate-job.ts";
export { commitReward } from "./reward/commit-reward.ts";
export { findRewardStep, type RewardStep } from "./reward/find-reward-step.ts";
export { type UpstreamRefusal, upstreamRefusal } from "./reward/upstream-refusal.ts";
export type { AgentCommandOptions } from "./runtime/agent-command.ts";
export { agentRequest } from "./runtime/agent-request.ts";
export type { AgentRuntime, RunOptions } from "./runtime/agent-runtime.ts";
export { checkAgentCommand } from "./runtime/check-agent-command.ts";
export { commandRuntime } from "./runtime/command-runtime.ts";
export {
  functionRuntime,
  type GivenResult,
  type SimulationFunction,
} from "./runtime/function-runtime.ts";
export { httpRuntime } from "./runtime/http-runtime.ts";
export { RuntimeError, type RuntimeErrorCode } from "./runtime/runtime-error.ts";
export { type BubblewrapOptions, bubblewrap } from "./sandbox/bubblewrap.ts";
export { type ContainerOptions, container } from "./sandbox/container.ts";
export { type PodTemplate, readPodTemplate } from "./sandbox/kubernetes/agent-pod.ts";
export { type KubernetesOptions, kubernetes } from "./sandbox/kubernetes/kubernetes.ts";
export type { AgentNetwork, ProgramCall, Sandbox, SandboxedScript } from "./sandbox/sandbox.ts";
export { type SlurmOptions, slurm } from "./sandbox/slurm.ts";
export { cutOff } from "./simulation/truncation.ts";
export type { EngineName } from "./tasks/container/engine.ts";
export { cleanTasks, removeLeftContainers } from "./tasks/container/task-image.ts";
export { findTasks, type ReadTask, readTask, type TaskFolder } from "./tasks/folder/task-folder.ts";
export { nopAgent, oracleAgent, recipeAgent, type TaskAgent } from "./tasks/task-agent.ts";
export { taskRuntime } from "./tasks/task-runtime.ts";
export { type TaskOptions, TaskSite, type VerifierSight } from "./tasks/task-site.ts";
export type { SimulationTracing } from "./tracing/attempt-spans.ts";
export {
  type ExaminationOptions,
  type ExaminedStep,
  examineJob,
  type JobExamination,
  type Loss,
} from "./training/examine-job.ts";
export {
  exportParquet,
  exportRollouts,
  type RolloutExportOptions,
} from "./training/export-rollouts.ts";
export { type FollowOptions, followJob } from "./training/follow-job.ts";
export { FollowedFileError } from "./training/followed-file.ts";
export type { ExportFormat, ExportPlace } from "./training/formats/export-format.ts";
export { exportFormats } from "./training/formats/formats.ts";
export type { LeftOut } from "./training/left-out.ts";
export {
  type DifferentToken,
  type Recomputation,
  RecomputeError,
  type RecomputeOptions,
  recomputeJob,
} from "./training/recompute-job.ts";
export { type Rollout, type RolloutOptions, readRollout } from "./training/rollout.ts";
export {
  parseRolloutFilter,
  type RolloutFilter,
  rolloutFilterForms,
} from "./training/rollout-filter.ts";
export { type StaleTokens, WeightAges } from "./training/weight-ages.ts";
export { type EmptyExport, whyNothingIsExported } from "./training/why-nothing.ts";
export { type ExportOptions, exportTrajectories } from "./trajectories/export-trajectories.ts";
export {
  type FailureExample,
  type FailureGroup,
  readFailures,
} from "./trajectories/failures.ts";
export {
  type JobUsage,
  readJobUsage,
  type SimulationUsage,
  type Usage,
} from "./trajectories/job-usage.ts";
export type { AttemptFolder, AttemptPaths } from "./workdir/attempt-folder.ts";
export { type AttemptFolders, keptFolders, temporaryFolders } from "./workdir/attempt-folders.ts";
