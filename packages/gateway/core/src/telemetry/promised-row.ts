import { monotonicMs } from "@proj/session-store";
import { Lookout, type Watched } from "../waiting/lookout.ts";
import type { QueuedStep } from "./step-queue.ts";

/** `late`: it is not stored yet. `moved`: it never will be, because another gateway has its session. */
export type RowEnding = "stored" | "late" | "moved";

/** A row whose commit a caller's answer waits for, but only until the row's deadline. */
export class PromisedRow implements Watched {
  place: Watched["place"] = null;
  readonly #step: QueuedStep;
  readonly #attempt: () => Promise<void>;
  readonly #until: number;
  readonly #ending: PromiseWithResolvers<RowEnding> = Promise.withResolvers();

  /** @param attempt resolves when the batch sent last is stored or has failed */
  constructor(step: QueuedStep, attempt: () => Promise<void>) {
    this.#step = step;
    this.#attempt = attempt;
    this.#until = performance.now() + (step.deadline - monotonicMs());
    lookout.watch(this, this.#until);
    step.written.when((result) => {
      if (result === null) this.#end("late");
      else this.#end(result.stored === "moved" ? "moved" : "stored");
    });
  }

  /** How the row ended by its deadline; a commit that began earlier is waited for. */
  get ending(): Promise<RowEnding> {
    return this.#ending.promise;
  }

  /** For the lookout alone. */
  look(now: number): void {
    if (now < this.#until) lookout.watch(this, this.#until);
    else void this.#expire();
  }

  async #expire(): Promise<void> {
    if (this.#step.inFlight) await this.#attempt();
    this.#end("late");
  }

  #end(ending: RowEnding): void {
    lookout.forget(this);
    this.#ending.resolve(ending);
  }
}

const lookout = new Lookout();
