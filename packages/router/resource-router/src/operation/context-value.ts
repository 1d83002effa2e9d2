import type { Context } from "./context.ts";

/** A value that a hook sets and operations read, such as the caller's name. */
export class ContextValue<T> {
  readonly #name: string;
  readonly #values: WeakMap<Context, T> = new WeakMap();

  /** @param name for error messages */
  constructor(name: string) {
    this.#name = name;
  }

  set(context: Context, value: T): void {
    this.#values.set(context, value);
  }

  /** @throws Error no hook has set it */
  get(context: Context): T {
    const value = this.#values.get(context);
    if (value === undefined && !this.#values.has(context))
      throw new Error(`No hook has set '${this.#name}' for this operation.`);
    return value as T;
  }
}
