import type { Metrics } from "../metrics/metrics.ts";
import type { Call } from "./call.ts";
import type { RouteQueue } from "./route-queue.ts";
import type { Stage } from "./stage.ts";

/**
 * Takes a place on the route, and gives it back when the upstream's body has ended, failed or been
 * dropped: never when headers arrive, as a stream has only begun then.
 */
export function limitRoute<C extends Call>(
  queues: ReadonlyMap<string, RouteQueue>,
  metrics: Metrics,
): Stage<C> {
  return (next) => async (call) => {
    const queue = queues.get(call.model);
    if (queue === undefined) throw new Error(`no queue for route '${call.model}'`);
    call.timings.queued = performance.now();
    if (!queue.tryAcquire()) await queue.acquire(call.queueKey, call.cancellation);
    call.timings.placed = performance.now();
    metrics.route(call.model).admitted(call.endpoint);
    try {
      const answer = await next(call);
      void answer.received.then(() => queue.release());
      return answer;
    } catch (error) {
      queue.release();
      throw error;
    }
  };
}
