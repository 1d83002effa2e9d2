import type { CommandType } from "../engine/command.ts";
import { Random } from "../market/random.ts";
import { checkFaults, type FaultSettings, noFaults } from "./fault-settings.ts";

/** The commands that place orders. */
const orders: ReadonlySet<CommandType> = new Set([
  "open_trade",
  "close_trade",
  "create_entry_order",
  "simple_oco",
  "close_all_for_symbol",
]);

/** Decides when a fault happens. The same seed gives the same choices. */
export class Faults {
  readonly #random: Random;
  /** @param choice from 0 up to, but not including, 1 */
  readonly #dropOne: (choice: number) => void;
  #settings: FaultSettings;
  #dropping: NodeJS.Timeout | undefined;

  /** @throws TypeError an invalid setting */
  constructor(
    { seed = 1, ...settings }: Partial<FaultSettings> & { readonly seed?: number },
    dropOne: (choice: number) => void,
  ) {
    this.#random = Random.fromSeed(seed);
    this.#dropOne = dropOne;
    this.#settings = checkFaults({ ...noFaults, ...settings });
  }

  /** Starts dropping connections, if that is set. */
  start(): void {
    clearInterval(this.#dropping);
    const { drop_interval_ms } = this.#settings;
    if (drop_interval_ms === 0) return;
    this.#dropping = setInterval(() => this.dropOne(), drop_interval_ms);
    this.#dropping.unref();
  }

  /** Drops one random connection now. */
  dropOne(): void {
    this.#dropOne(this.#choice());
  }

  get settings(): FaultSettings {
    return this.#settings;
  }

  /** Changes the given settings and keeps the others. @throws TypeError an invalid setting; nothing has changed */
  change(settings: Partial<FaultSettings>): void {
    this.#settings = checkFaults({ ...this.#settings, ...settings });
    if (settings.drop_interval_ms !== undefined) this.start();
  }

  /** Number of times to send the next push. */
  copies(): number {
    return this.#happens(this.#settings.duplicate_share) ? 2 : 1;
  }

  /** Whether to refuse the next command. */
  refuses(type: CommandType): boolean {
    if (!orders.has(type)) return false;
    const { refuse_next, refuse_share } = this.#settings;
    if (refuse_next === 0) return this.#happens(refuse_share);
    this.change({ refuse_next: refuse_next - 1 });
    return true;
  }

  close(): void {
    clearInterval(this.#dropping);
  }

  #happens(share: number): boolean {
    return share > 0 && this.#choice() < share;
  }

  #choice(): number {
    return this.#random.integer() / 2 ** 32;
  }
}
