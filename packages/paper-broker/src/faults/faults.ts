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

/** Says when a fault happens. The same seed gives the same choices. */
export class Faults {
  readonly #random: Random;
  /** @param choice from 0 to 1, not inclusive */
  readonly #dropOne: (choice: number) => void;
  #settings: FaultSettings;
  #dropping: NodeJS.Timeout | undefined;

  /** @throws TypeError a setting that makes no sense */
  constructor(
    { seed = 1, ...settings }: Partial<FaultSettings> & { readonly seed?: number },
    dropOne: (choice: number) => void,
  ) {
    this.#random = Random.fromSeed(seed);
    this.#dropOne = dropOne;
    this.#settings = checkFaults({ ...noFaults, ...settings });
  }

  /** Begins to drop connections where that is set. */
  start(): void {
    clearInterval(this.#dropping);
    const { drop_interval_ms } = this.#settings;
    if (drop_interval_ms === 0) return;
    this.#dropping = setInterval(() => this.dropOne(), drop_interval_ms);
    this.#dropping.unref();
  }

  /** Drops one connection now, chosen at random. */
  dropOne(): void {
    this.#dropOne(this.#choice());
  }

  get settings(): FaultSettings {
    return this.#settings;
  }

  /** What is absent stays as it is. @throws TypeError a setting that makes no sense; nothing is changed */
  change(settings: Partial<FaultSettings>): void {
    this.#settings = checkFaults({ ...this.#settings, ...settings });
    if (settings.drop_interval_ms !== undefined) this.start();
  }

  /** How often the next push is sent. */
  copies(): number {
    return this.#happens(this.#settings.duplicate_share) ? 2 : 1;
  }

  /** Whether the next command is refused. */
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
