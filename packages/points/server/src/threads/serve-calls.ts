import type { MessagePort } from "node:worker_threads";
import type { PointsDatabase } from "../storage/source.ts";
import type { CallHandlers } from "./call-handlers.ts";
import { describeFailure } from "./failure.ts";
import type { CallMessage, CallName, ThreadAnswer, ThreadMessage } from "./thread-calls.ts";

/** The handlers of a thread's calls. */
export interface Service {
  readonly database: PointsDatabase;
  readonly handlers: CallHandlers;
}

/** The main loop of a thread: answers one call after the other, until it is told to end. */
export function serveCalls(port: MessagePort, open: () => Promise<Service>): void {
  const post = (answer: ThreadAnswer): void => port.postMessage(answer);
  const aborts = new Map<number, AbortController>();
  const service = open();
  // The error is thrown where the service is awaited.
  service.catch(() => {});

  const answer = async <Name extends CallName>({
    id,
    name,
    request,
  }: CallMessage<Name>): Promise<void> => {
    const abort = new AbortController();
    aborts.set(id, abort);
    try {
      const { handlers } = await service;
      const reply = await handlers[name](request, {
        signal: abort.signal,
        onProgress: (report) => post({ kind: "progress", id, report }),
      });
      post({ kind: "reply", id, reply });
    } catch (error) {
      post({ kind: "failure", id, failure: describeFailure(error) });
    }
    aborts.delete(id);
  };
  const end = async (): Promise<void> => {
    const opened = await service.catch(() => null);
    await opened?.database.close();
    port.close();
  };

  let previous: Promise<void> = Promise.resolve();
  port.on("message", (message: ThreadMessage) => {
    if (message.kind === "abort") {
      aborts.get(message.id)?.abort();
    } else {
      previous = previous.then(() => (message.kind === "end" ? end() : answer(message)));
    }
  });
}
