import type { WriteStream } from "node:tty";
import type { JobSummary } from "@proj/session-store";
import { MultiBar, type SingleBar } from "cli-progress";
import { duration, reward } from "../text/quantities.ts";

/** Between two looks at the job, in milliseconds; a look that takes long is taken less often. */
const leastPauseMs = 250;
const pausePerLook = 20;

/** A job's progress, on the last line of a terminal; other text scrolls above it. */
export class ProgressBar {
  readonly #bars: MultiBar;
  readonly #bar: SingleBar;
  readonly #readJob: () => Promise<JobSummary | null>;
  readonly #startedAt = performance.now();
  readonly #endedBefore: number;
  #timer: NodeJS.Timeout | undefined;

  /** @param readJob all launchers' work counts */
  constructor(stream: WriteStream, job: JobSummary, readJob: () => Promise<JobSummary | null>) {
    this.#readJob = readJob;
    this.#endedBefore = job.finished + job.failed;
    const format =
      "[{bar}] {value}/{total}  {running} running  {failed} failed  mean reward {mean_reward}  {left} left";
    const options = { format, stream, barsize: 20, linewrap: true, clearOnComplete: true };
    this.#bars = new MultiBar({ ...options, gracefulExit: false });
    this.#bar = this.#bars.create(job.simulations, this.#endedBefore, this.#fields(job));
    this.#lookAgain(leastPauseMs);
  }

  /** @param text one line or more, without the last line's end */
  print(text: string): void {
    this.#bars.log(`${text}\n`);
  }

  /** The line is free again. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // What was printed and not yet shown.
    this.#bars.update();
    this.#bars.stop();
  }

  #lookAgain(pauseMs: number): void {
    this.#timer = setTimeout(() => void this.#look(), pauseMs);
  }

  async #look(): Promise<void> {
    const before = performance.now();
    // A storage that is unavailable is told of by those who need it.
    const job = await this.#readJob().catch(() => null);
    if (this.#timer === undefined) return;
    if (job !== null) {
      this.#bar.setTotal(job.simulations);
      this.#bar.update(job.finished + job.failed, this.#fields(job));
    }
    this.#lookAgain(Math.max(leastPauseMs, pausePerLook * (performance.now() - before)));
  }

  #fields({ simulations, finished, failed, running, mean_reward }: JobSummary): object {
    const ended = finished + failed - this.#endedBefore;
    const elapsedMs = performance.now() - this.#startedAt;
    const leftMs = (elapsedMs / ended) * (simulations - finished - failed);
    const left = ended > 0 ? duration(leftMs) : "–";
    return { running, failed, mean_reward: reward(mean_reward), left };
  }
}
