import {
  createMarketHours,
  type MarketHours,
  type MarketHoursConfig,
} from "@proj/trading-client/wire";
import { Temporal } from "temporal-polyfill";

/** The hours of each instrument type; null: always open. Types that are missing are always open, too. */
export type MarketHoursByType = Readonly<Record<number, MarketHoursConfig | null>>;

/** A cached state of a type, which holds from one time until another. */
interface KnownState {
  readonly isOpen: boolean;
  readonly from: number;
  readonly until: number;
}

/** Tells whether instruments trade. A market trades from the start of its opening window. */
export class TradingHours {
  readonly #hours: ReadonlyMap<number, MarketHours>;
  readonly #known = new Map<number, KnownState>();

  /** @param byType null: everything is always open */
  constructor(byType: MarketHoursByType | null) {
    this.#hours = new Map(
      Object.entries(byType ?? {}).flatMap(([type, config]) =>
        config === null ? [] : [[Number(type), createMarketHours(config)]],
      ),
    );
  }

  isOpen(instrumentType: number, time: number): boolean {
    return this.#state(instrumentType, time)?.isOpen ?? true;
  }

  /** The next time it is open; `time` itself if it is open. */
  opensAt(instrumentType: number, time: number): number {
    const state = this.#state(instrumentType, time);
    return state === null || state.isOpen ? time : state.until;
  }

  /** When the next market opens or closes; infinity: never. */
  nextChange(time: number): number {
    const changes = [...this.#hours.keys()].map((type) => this.#state(type, time)?.until);
    return Math.min(...changes.map((until) => until ?? Number.POSITIVE_INFINITY));
  }

  #state(instrumentType: number, time: number): KnownState | null {
    const hours = this.#hours.get(instrumentType);
    if (hours === undefined) return null;
    const known = this.#known.get(instrumentType);
    if (known !== undefined && known.from <= time && time < known.until) return known;
    const at = Temporal.Instant.fromEpochMilliseconds(time);
    const isOpen = hours.phase(at) !== "closed";
    const until = isOpen ? hours.nextClosing(at) : hours.nextOpening(at).from;
    const state = { isOpen, from: time, until: until.epochMilliseconds };
    this.#known.set(instrumentType, state);
    return state;
  }
}
