import type { CallOptions } from "../calls/call-options.ts";
import type { Caller } from "../calls/caller.ts";
import { type Extension, extensionsProperty } from "../wire/index.ts";
import { snapshotCall } from "./snapshot-call.ts";
import { readRows } from "./table-rows.ts";

/** What the server offers beyond the interface. It is asked once. */
export class Extensions {
  readonly #caller: Caller;
  #known: ReadonlySet<string> | null = null;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** @throws the errors of a call, if it must ask */
  async has(extension: Extension, options: CallOptions): Promise<boolean> {
    if (this.#known === null) {
      const snapshot = await this.#caller.call(snapshotCall(["Properties"]), options);
      const rows = readRows("Properties", snapshot.get("Properties") ?? []);
      const row = rows.find(({ name }) => name === extensionsProperty);
      this.#known = new Set(row?.value.split(" "));
    }
    return this.#known.has(extension);
  }
}
