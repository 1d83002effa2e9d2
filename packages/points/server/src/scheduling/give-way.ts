/** Longest turn while no other thread wants the core. */
const maxTurnMs = 4;
/** Longest turn while others want it; the kernel's own time slices are ten times longer. */
const sharedTurnMs = 0.5;
const pauseMs = 0.01;
/** A pause longer than this, including the kernel's own delay, means that another thread had the core. */
const undisturbedPauseMs = 0.2;
/** How long the core counts as shared after such a pause: a job may get several turns in a row. */
const sharedForMs = 10;

const neverSignalled = new Int32Array(new SharedArrayBuffer(4));
let turnEndsAt = 0;
let sharedUntil = 0;

/**
 * Yields the core to waiting threads once a job has had it for a while. With a low priority alone, a job gets few
 * but long turns, and all requests that arrive meanwhile wait. Call it between steps shorter than a short turn.
 */
export function giveWay(): void {
  const pausedAt = performance.now();
  if (pausedAt < turnEndsAt) return;
  Atomics.wait(neverSignalled, 0, 0, pauseMs);
  const resumedAt = performance.now();
  if (resumedAt - pausedAt > undisturbedPauseMs) sharedUntil = resumedAt + sharedForMs;
  turnEndsAt = resumedAt + (resumedAt < sharedUntil ? sharedTurnMs : maxTurnMs);
}
