import type { Answer } from "./answer.ts";
import type { Call } from "./call.ts";

/** Answers a call, or throws a CallError. */
export type Handler<C extends Call> = (call: C) => Promise<Answer>;

/** One concern of the pipeline, wrapped around everything that comes after it. */
export type Stage<C extends Call> = (next: Handler<C>) => Handler<C>;
