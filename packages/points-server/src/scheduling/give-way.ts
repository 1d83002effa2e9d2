/** At most so long a job has a core that nobody else wants. */
const longestTurnMs = 4;
/** The same for a core that others want: a kernel's turns are ten times as long. */
const sharedTurnMs = 0.5;
const pauseMs = 0.01;
/** Somebody else had the core in a pause that took longer than this, the kernel's own delay included. */
const undisturbedPauseMs = 0.2;
/** So long after such a pause the core counts as shared, as a job may have several turns in a row. */
const sharedForMs = 10;

const nobody = new Int32Array(new SharedArrayBuffer(4));
let turnEndsAt = 0;
let sharedUntil = 0;

/**
 * Gives the core to waiting threads once a job has had it for some time. A low priority alone gives
 * a job few turns, but long ones, for which the requests that come meanwhile all wait. To be called between
 * steps that take less than a short turn.
 */
export function giveWay(): void {
  const pausedAt = performance.now();
  if (pausedAt < turnEndsAt) return;
  Atomics.wait(nobody, 0, 0, pauseMs);
  const resumedAt = performance.now();
  if (resumedAt - pausedAt > undisturbedPauseMs) sharedUntil = resumedAt + sharedForMs;
  turnEndsAt = resumedAt + (resumedAt < sharedUntil ? sharedTurnMs : longestTurnMs);
}
