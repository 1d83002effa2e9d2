import type { Call } from "../call/call.ts";
import type { Stage } from "../call/stage.ts";

/**
 * Takes a place on the route, and gives it back when the upstream's body has ended, failed or been dropped:
 * never when headers arrive, because a stream has only begun then.
 */
export function limitRoute<C extends Call>(): Stage<C> {
  return (next) => async (call) => {
    const { queue } = call.route;
    call.timings.queued = performance.now();
    const { queueKey, maxPlaces } = call;
    if (!queue.tryAcquire(queueKey, maxPlaces)) {
      const ended = call.whileHeld?.begin(() => queue.isPaused);
      try {
        await queue.acquire(queueKey, call.cancellation, maxPlaces);
      } finally {
        ended?.();
      }
    }
    // A reload while it waited: from here on, everything is as the route is now.
    call.route = call.route.latest;
    call.weight_version = queue.weight_version;
    call.timings.placed = performance.now();
    call.route.metrics.admitted(call.endpoint.name);
    try {
      const answer = await next(call);
      answer.received.when(() => queue.release(queueKey, maxPlaces));
      return answer;
    } catch (error) {
      queue.release(queueKey, maxPlaces);
      throw error;
    }
  };
}
