export type { Failure } from "./failure.ts";
export { FileThreads, type FileThreadsOptions } from "./file-threads.ts";
export { LastingThread, type LastingThreadOptions, openReaderThread } from "./lasting-thread.ts";
export type { KnownDatabase, StopFlag, ThreadCalls, ThreadData } from "./thread-messages.ts";
