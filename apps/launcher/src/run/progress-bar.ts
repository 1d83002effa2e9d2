import type { WriteStream } from "node:tty";
import { duration, reward } from "@proj/launcher-client/sheets";
import type { JobSummary } from "@proj/session-store";
import { MultiBar, type SingleBar } from "cli-progress";

/** Between two reads of the job, in milliseconds; slow reads are made less often. */
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

  /** @param readJob covers the work of all launchers */
  constructor(stream: WriteStream, job: JobSummary, readJob: () => Promise<JobSummary | null>) {
    this.#readJob = readJob;
    this.#endedBefore = endedOf(job);
    const format =
      "[{bar}] {value}/{total}  {running} running  {failed} failed  mean reward {mean_reward}  {left} left";
    const options = { format, stream, barsize: 20, linewrap: true, clearOnComplete: true };
    this.#bars = new MultiBar({ ...options, gracefulExit: false });
    this.#bar = this.#bars.create(job.simulations, this.#endedBefore, this.#fields(job));
    this.#lookAgain(leastPauseMs);
  }

  /** @param text one line or more, without the last line break */
  print(text: string): void {
    this.#bars.log(`${text}\n`);
  }

  /** Frees the line. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // Shows what was printed but is not visible yet.
    this.#bars.update();
    this.#bars.stop();
  }

  #lookAgain(pauseMs: number): void {
    this.#timer = setTimeout(() => void this.#look(), pauseMs);
  }

  async #look(): Promise<void> {
    const before = performance.now();
    // The code that needs an unavailable storage reports it.
    const job = await this.#readJob().catch(() => null);
    if (this.#timer === undefined) return;
    if (job !== null) {
      this.#bar.setTotal(job.simulations);
      this.#bar.update(endedOf(job), this.#fields(job));
    }
    this.#lookAgain(Math.max(leastPauseMs, pausePerLook * (performance.now() - before)));
  }

  #fields(job: JobSummary): object {
    const { simulations, failed, running, mean_reward } = job;
    const ended = endedOf(job) - this.#endedBefore;
    const elapsedMs = performance.now() - this.#startedAt;
    const leftMs = (elapsedMs / ended) * (simulations - endedOf(job));
    const left = ended > 0 ? duration(leftMs) : "–";
    return { running, failed, mean_reward: reward(mean_reward), left };
  }
}

const endedOf = ({ finished, failed, infrastructure }: JobSummary): number =>
  finished + failed + infrastructure;
