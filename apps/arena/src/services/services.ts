/** Closes what was opened, in reverse order. If one close fails, the others still run. */
export class Services {
  readonly #closers: (() => Promise<unknown>)[] = [];
  #closing: Promise<void> | null = null;

  /** @returns the service, which `close` will close */
  add<T>(service: T, close: (service: T) => Promise<unknown>): T {
    this.#closers.push(() => close(service));
    return service;
  }

  /** @throws the first error, once everything is closed */
  close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    const errors: unknown[] = [];
    for (const close of this.#closers.toReversed())
      await close().catch((error) => errors.push(error));
    if (errors.length > 0) throw errors[0];
  }
}
