/**
 * Milliseconds of a clock that nobody can set. All threads of a process read the same clock, which
 * `performance.now()` does not give them: its origin is the thread's own.
 */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return 1e3 * seconds + nanoseconds / 1e6;
}
