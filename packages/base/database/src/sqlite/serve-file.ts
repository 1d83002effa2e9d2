import { parentPort } from "node:worker_threads";
import { monotonicMs } from "../clock.ts";
import { StoreUnavailableError } from "../errors.ts";
import type { ThreadCall, ThreadCalls, ThreadReply } from "../threads/thread-messages.ts";
import { describeFailure } from "./sqlite-failure.ts";

/** One function for each call. */
export type CallHandlers<Calls extends ThreadCalls<Calls>> = {
  readonly [Name in keyof Calls]: (
    request: Calls[Name]["request"],
    deadline: number,
  ) => Calls[Name]["reply"];
};

/** Answers the calls to a thread. */
export interface Service<Calls extends ThreadCalls<Calls>> {
  /** The message to the other side when the thread is ready. */
  readonly ready: unknown;
  /** @param deadline by `monotonicMs` */
  answer<Name extends keyof Calls>(
    name: Name,
    request: Calls[Name]["request"],
    deadline: number,
  ): Calls[Name]["reply"] | Promise<Calls[Name]["reply"]>;
  close(): void | Promise<void>;
}

/**
 * The whole life of a thread that has a file open: it starts the service, answers calls one after the other, and ends
 * when asked to, or after a failure that may have broken its connection.
 */
export async function serveFile<Calls extends ThreadCalls<Calls>>(
  file: string,
  start: () => Service<Calls> | Promise<Service<Calls>>,
): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error("This module is the entry of a worker thread.");
  const post = (reply: ThreadReply): void => port.postMessage(reply);

  let service: Service<Calls>;
  try {
    service = await start();
  } catch (error) {
    post([0, null, describeFailure(error, file)]);
    return;
  }
  post([0, service.ready]);

  let isEnding = false;
  const end = async (): Promise<void> => {
    isEnding = true;
    await service.close();
    port.close();
  };
  const answer = async (call: ThreadCall<keyof Calls>): Promise<void> => {
    if (isEnding) return;
    const [id, name, deadline, request] = call;
    if (id === 0) {
      await end();
      return;
    }
    try {
      if (monotonicMs() > deadline) throw overdue;
      post([id, await service.answer(name, request, deadline)]);
    } catch (error) {
      const failure = describeFailure(error, file);
      post([id, null, failure]);
      if (failure.isLast) await end();
    }
  };
  let previous: Promise<void> = Promise.resolve();
  port.on("message", (call: ThreadCall<keyof Calls>) => {
    previous = previous.then(() => answer(call));
  });
}

const overdue: StoreUnavailableError = new StoreUnavailableError(
  "the storage was too busy to start this before its deadline",
);
