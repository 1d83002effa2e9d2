import type { startFaultyUpstream } from "./upstream/faulty-upstream.ts";
import { chatCompletion } from "./wire/chat-completion.ts";
import { chatStream } from "./wire/streams.ts";

export interface HalvedAnswer {
  /** For an upstream: streams "So far, and further.", and stops in the middle until `goOn` is called. */
  readonly answer: Parameters<typeof startFaultyUpstream>[0];
  readonly goOn: () => void;
}

export function halvedAnswer(): HalvedAnswer {
  const { promise, resolve } = Promise.withResolvers<void>();
  const events = chatStream(chatCompletion({ content: "So far, and further." }));
  const half = Math.ceil(events.length / 2);
  return {
    answer: async (_request, reply) => {
      await reply.startEvents();
      for (const event of events.slice(0, half)) await reply.write(event);
      await promise;
      for (const event of events.slice(half)) await reply.write(event);
      await reply.end();
    },
    goOn: resolve,
  };
}
