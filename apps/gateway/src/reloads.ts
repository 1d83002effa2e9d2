import type { Gateway, ServiceLog } from "@proj/gateway-core";

/**
 * Reads the routes again at a signal. One that comes before the gateway serves, such as while it waits for its
 * database, is obeyed then: without a listener it would end the process. An invalid file changes nothing; the log and
 * standard error say why.
 */
export class Reloads {
  readonly #name: NodeJS.Signals;
  readonly #log: ServiceLog;
  #gateway: Gateway | null = null;
  #isAsked = false;

  constructor(name: NodeJS.Signals, log: ServiceLog) {
    this.#name = name;
    this.#log = log;
    process.on(name, this.#reload);
  }

  /** The gateway serves. */
  begin(gateway: Gateway): void {
    this.#gateway = gateway;
    if (this.#isAsked) this.#reload();
  }

  end(): void {
    process.off(this.#name, this.#reload);
  }

  readonly #reload = (): void => {
    if (this.#gateway === null) {
      this.#isAsked = true;
      return;
    }
    try {
      const routes = this.#gateway.reload();
      console.log(`${this.#name}: routes ${JSON.stringify(routes)}`);
      this.#log.info({ ...routes }, "routes were read again");
    } catch (err) {
      console.error(`${this.#name}: ${err instanceof Error ? err.message : String(err)}`);
      this.#log.error({ err }, "routes were not read again");
    }
  };
}
