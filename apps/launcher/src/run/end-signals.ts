/** The first SIGINT or SIGTERM asks for an orderly end, every later one for an end now. */
export class EndSignals {
  readonly #onSignal: (signal: NodeJS.Signals) => void;

  constructor(first: (signal: NodeJS.Signals) => void, later: (signal: NodeJS.Signals) => void) {
    let isFirst = true;
    this.#onSignal = (signal) => {
      const end = isFirst ? first : later;
      isFirst = false;
      end(signal);
    };
    process.on("SIGINT", this.#onSignal).on("SIGTERM", this.#onSignal);
  }

  end(): void {
    process.off("SIGINT", this.#onSignal).off("SIGTERM", this.#onSignal);
  }
}
