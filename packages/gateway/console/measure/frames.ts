import type { WatchedBrowser } from "@proj/test-kit/chromium";

export type Page = Awaited<ReturnType<WatchedBrowser["open"]>>;

/** How a page kept up while it was scrolled. Times are in milliseconds. */
export interface Frames {
  readonly frames: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly longest_ms: number;
  /** Frames of more than 50 ms. */
  readonly late: number;
  /** The longest task on the page's thread; 0: none took 50 ms. */
  readonly longest_task_ms: number;
}

/** Of a trace: tasks and what they are made of, with garbage collections and the functions that ran. */
export const categories: readonly string[] = [
  "toplevel",
  "devtools.timeline",
  "v8",
  "blink.user_timing",
  "disabled-by-default-v8.cpu_profiler",
  "disabled-by-default-devtools.timeline",
];

/** @param times how many times as slowly the page computes; 1: as it can */
export async function slowDown(page: Page, times: number): Promise<void> {
  if (times === 1) return;
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: times });
}

/** Times between frames, by `requestAnimationFrame`, and long tasks, by `PerformanceObserver`. */
const watch = `(() => {
  const times = [], tasks = [];
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: "longtask" });
  let last = performance.now(), goesOn = true;
  const frame = (now) => { times.push(now - last); last = now; if (goesOn) requestAnimationFrame(frame); };
  requestAnimationFrame((now) => { last = now; requestAnimationFrame(frame); });
  window.frames_ = { times, tasks, stop: () => { goesOn = false; } };
})()`;

/** Turns the mouse wheel as fast as an impatient reader. @param turns each scrolls 240 px */
export async function scroll(page: Page, selector: string, turns: number): Promise<Frames> {
  await page.locator(selector).hover();
  await page.evaluate(watch);
  for (let turn = 0; turn < turns; turn += 1) {
    await page.mouse.wheel(0, 240);
    await page.waitForTimeout(30);
  }
  const { times, tasks } = await page.evaluate<{ times: number[]; tasks: number[] }>(
    "(window.frames_.stop(), { times: window.frames_.times, tasks: window.frames_.tasks })",
  );
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return {
    frames: times.length,
    ...{ p50_ms: at(0.5), p99_ms: at(0.99), longest_ms: at(1) },
    late: times.filter((ms) => ms > 50).length,
    longest_task_ms: Math.max(0, ...tasks),
  };
}
