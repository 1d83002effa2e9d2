import { parentPort } from "node:worker_threads";
import { StoreUnavailableError } from "../store-errors.ts";
import type { Failure } from "./failure.ts";
import { describeFailure } from "./sqlite-failure.ts";
import type { ThreadCall, ThreadCalls, ThreadReply } from "./thread-messages.ts";

/** One function for each call. `deadline` is in milliseconds since the epoch. */
type CallHandlers<Calls extends ThreadCalls<Calls>> = {
  readonly [Name in keyof Calls]: (
    request: Calls[Name]["request"],
    deadline: number,
  ) => Calls[Name]["reply"] | Promise<Calls[Name]["reply"]>;
};

export interface Service<Calls extends ThreadCalls<Calls>> {
  /** What the other side hears when the thread is ready. */
  readonly ready: unknown;
  readonly handlers: CallHandlers<Calls>;
  close(): void;
}

/**
 * The whole life of a thread of this package: starts the service, answers calls one after the
 * other, and ends when asked to, or when a failure leaves its connection in doubt.
 */
export function serveCalls<Calls extends ThreadCalls<Calls>>(
  file: string,
  start: () => Service<Calls>,
): void {
  const port = parentPort;
  if (port === null) throw new Error("This module is the entry of a worker thread.");
  const post = (reply: ThreadReply): void => port.postMessage(reply);

  let service: Service<Calls>;
  try {
    service = start();
  } catch (error) {
    post([0, null, describeFailure(error, file)]);
    return;
  }
  post([0, service.ready]);

  let isEnding = false;
  const end = (): void => {
    isEnding = true;
    service.close();
    port.close();
  };
  const answer = async (call: ThreadCall<keyof Calls>): Promise<void> => {
    if (isEnding) return;
    const [id, name, deadline, request] = call;
    if (id === 0) {
      end();
      return;
    }
    try {
      if (Date.now() > deadline) throw overdue;
      post([id, await service.handlers[name](request, deadline)]);
    } catch (error) {
      const failure: Failure = describeFailure(error, file);
      post([id, null, failure]);
      if (failure.isLast) end();
    }
  };
  let previous: Promise<void> = Promise.resolve();
  port.on("message", (call: ThreadCall<keyof Calls>) => {
    previous = previous.then(() => answer(call));
  });
}

const overdue: StoreUnavailableError = new StoreUnavailableError(
  "the storage was too busy to come to this before its time was up",
);
