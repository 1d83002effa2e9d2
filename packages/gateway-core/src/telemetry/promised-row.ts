import { Lookout, type Watched } from "../lookout.ts";
import type { QueuedStep } from "./step-queue.ts";

/** A row for whose commit a caller's answer waits, until the row's deadline and no longer. */
export class PromisedRow implements Watched {
  place: Watched["place"] = null;
  readonly #step: QueuedStep;
  readonly #attempt: () => Promise<void>;
  readonly #until: number;
  readonly #inTime: PromiseWithResolvers<boolean> = Promise.withResolvers();

  /** @param attempt resolves when the batch that was sent last is stored or has failed */
  constructor(step: QueuedStep, attempt: () => Promise<void>) {
    this.#step = step;
    this.#attempt = attempt;
    this.#until = performance.now() + (step.deadline - Date.now());
    lookout.watch(this, this.#until);
    void step.written.then((result) => this.#end(result !== null));
  }

  /** Whether it was stored by its deadline; a commit that began before it is waited for. */
  get inTime(): Promise<boolean> {
    return this.#inTime.promise;
  }

  /** For the lookout alone. */
  look(now: number): void {
    if (now < this.#until) lookout.watch(this, this.#until);
    else void this.#expire();
  }

  async #expire(): Promise<void> {
    if (this.#step.inFlight) await this.#attempt();
    this.#end(false);
  }

  #end(inTime: boolean): void {
    lookout.forget(this);
    this.#inTime.resolve(inTime);
  }
}

const lookout = new Lookout();
