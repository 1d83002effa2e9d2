import type { Call } from "../call/call.ts";
import type { Stage } from "../call/stage.ts";
import { routeNotFound } from "../errors/route-not-found.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { RouteQueues } from "./route-queues.ts";

/**
 * Takes a place on the route, and gives it back when the upstream's body has ended, failed or been dropped:
 * never when headers arrive, because a stream has only begun then.
 */
export function limitRoute<C extends Call>(queues: RouteQueues, metrics: Metrics): Stage<C> {
  return (next) => async (call) => {
    const queue = queues.get(call.model);
    // The route was removed after the request came.
    if (queue === undefined) throw routeNotFound(call.model);
    call.timings.queued = performance.now();
    const { queueKey, mostPlaces } = call;
    if (!queue.tryAcquire(queueKey, mostPlaces)) {
      const ended = call.whileHeld?.begin(() => queue.isPaused);
      try {
        await queue.acquire(queueKey, call.cancellation, mostPlaces);
      } finally {
        ended?.();
      }
    }
    call.weight_version = queue.weight_version;
    call.timings.placed = performance.now();
    metrics.route(call.model).admitted(call.endpoint.name);
    try {
      const answer = await next(call);
      answer.received.when(() => queue.release(queueKey, mostPlaces));
      return answer;
    } catch (error) {
      queue.release(queueKey, mostPlaces);
      throw error;
    }
  };
}
