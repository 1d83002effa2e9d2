/** A price as a source has published it. */
export interface SourcedPrice {
  readonly token: string;
  /** An integer, scaled by `priceDecimals`. */
  readonly price: string;
  readonly priceDecimals: number;
  /** Unix seconds: when it was published. */
  readonly time: number;
  /** How far off it may be, as a part of the price; null: the source does not say. */
  readonly confidence: number | null;
}

/** Where prices come from. */
export interface PriceSource {
  /** Part of the ids of events. */
  readonly name: string;
  /** What it has of its tokens now. @throws HttpError, or the signal's reason */
  read(signal: AbortSignal): Promise<readonly SourcedPrice[]>;
  close(): void;
}

export interface SourceOptions {
  /** `http(s)://host[:port][/path]` */
  readonly base_url: string;
  /** What the source calls each of our tokens: an id of a feed, a mint. */
  readonly tokens: Readonly<Record<string, string>>;
}
