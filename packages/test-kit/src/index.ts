export type { DemoRequest, DemoUpstreamOptions } from "@proj/demo-upstream";
export { type DemoUpstream, startDemoUpstream } from "./demo-upstream.ts";
export { isLeftOut } from "./left-out.ts";
export { type Listening, listen } from "./listen.ts";
export { type RawConnection, rawRequest } from "./raw-connection.ts";
export {
  readAllServerSentEvents,
  readServerSentEvents,
  type ServerSentEvent,
} from "./server-sent-events.ts";
export {
  type Exit,
  type RunningProcess,
  type StartProcessOptions,
  startProcess,
} from "./start-process.ts";
export { type TemporaryFolder, temporaryFolder } from "./temporary-folder.ts";
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
export { waitFor } from "./wait-for.ts";
export {
  type ChatCompletion,
  type ChatCompletionParts,
  chatCompletion,
} from "./wire/chat-completion.ts";
export { type ChatStreamOptions, chatStream } from "./wire/chat-stream.ts";
export { jsonBytes } from "./wire/pieces.ts";
export { type ResponseObject, type ResponseParts, responseObject } from "./wire/response-object.ts";
export { type ResponseStreamOptions, responseStream } from "./wire/response-stream.ts";
