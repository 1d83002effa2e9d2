export type { DemoRequest, DemoUpstreamOptions } from "@proj/demo-upstream";
export { acpPrograms, agentPrograms, programsPython, pythonPrograms } from "./agent-programs.ts";
export {
  type BalancerOptions,
  hasHaproxy,
  isLeftOutWithoutHaproxy,
  startBalancer,
} from "./balancer.ts";
export { startBundled } from "./bundles/start-bundled.ts";
export { type CapturedEnd, captureOutput } from "./captured-output.ts";
export { countModules } from "./count-modules.ts";
export { type DemoUpstream, startDemoUpstream } from "./demo-upstream.ts";
export {
  type EngineQuestion,
  type EngineSaying,
  logprobOf,
  type SampledAnswer,
  type SamplingEngineOptions,
  startSamplingEngine,
} from "./engine/sampling-engine.ts";
export { qwen3Folder } from "./engine/vocabulary.ts";
export { envoyProgram, isLeftOutWithoutEnvoy, startEnvoy } from "./envoy.ts";
export { halvedAnswer } from "./halved-answer.ts";
export { isLeftOut } from "./left-out.ts";
export { freePort, type Listening, listen } from "./listen.ts";
export { npmProgram } from "./npm-program.ts";
export type { Balancer } from "./proxy-process.ts";
export {
  isLeftOutWithoutPython,
  type PythonEnvironment,
  pypiRemedy,
  pythonWith,
} from "./python.ts";
export { parseRawAnswer, type RawAnswer } from "./raw-answer.ts";
export { type RawConnection, rawRequest } from "./raw-connection.ts";
export {
  readAllServerSentEvents,
  readServerSentEvents,
  type ServerSentEvent,
} from "./server-sent-events.ts";
export {
  compileCache,
  type Exit,
  type RunningProcess,
  type StartProcessOptions,
  startProcess,
} from "./start-process.ts";
export { planStorm, type StormEndpoint, type StormPlan } from "./storm/storm-plan.ts";
export { answerAsPlanned } from "./storm/storm-upstream.ts";
export { startTcpProxy, type TcpProxy } from "./tcp-proxy.ts";
export { type TemporaryFolder, temporaryFolder } from "./temporary-folder.ts";
export { isLeftOutWithoutTerminals } from "./terminals.ts";
export { within } from "./time-out.ts";
export {
  type CutOptions,
  closeBeforeHeaders,
  closeWhenReused,
  cutStreamAt,
  resetBeforeHeaders,
  sendGarbage,
  sendGzip,
  sendHalfEvent,
  sendHalfHeaders,
  sendInterim,
  sendTrailers,
  sendWrongLength,
  staySilent,
  streamForever,
} from "./upstream/faults.ts";
export {
  type FaultyUpstream,
  type ReplyHandler,
  startFaultyUpstream,
} from "./upstream/faulty-upstream.ts";
export type { RecordedRequest } from "./upstream/recorded-request.ts";
export type { Reply, ReplyOptions } from "./upstream/reply.ts";
export {
  isLeftOutWithoutVllm,
  makeTinyModel,
  startVllm,
  type Vllm,
  vllmHome,
} from "./vllm/vllm.ts";
export { waitFor } from "./wait-for.ts";
export {
  type ChatCompletion,
  type ChatCompletionParts,
  chatCompletion,
} from "./wire/chat-completion.ts";
export {
  type MessageBlock,
  type MessageObject,
  type MessageParts,
  messageObject,
} from "./wire/message-object.ts";
export { plainOrder } from "./wire/plain-order.ts";
export { type ResponseObject, type ResponseParts, responseObject } from "./wire/response-object.ts";
export { chatStream, jsonBytes, messageStream, responseStream } from "./wire/streams.ts";
