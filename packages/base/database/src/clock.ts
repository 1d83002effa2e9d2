/**
 * Milliseconds on a clock that nobody can set. All threads of a process read the same clock; `performance.now()` would
 * not do, because each thread has its own origin.
 */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return 1e3 * seconds + nanoseconds / 1e6;
}
