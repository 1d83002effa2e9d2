/** At most so long a job has a core that others wait for: a kernel's turns are several times as long. */
const longestTurnMs = 2;
const pauseMs = 0.01;

const nobody = new Int32Array(new SharedArrayBuffer(4));
let turnEndsAt = 0;

/**
 * Lets whoever waits for the core have it, where a job has had it for some time. A low priority alone gives
 * a job few turns, but long ones, for which the requests that come meanwhile all wait. To be called between
 * steps that take much less than a turn.
 */
export function giveWay(): void {
  if (performance.now() < turnEndsAt) return;
  Atomics.wait(nobody, 0, 0, pauseMs);
  turnEndsAt = performance.now() + longestTurnMs;
}
