/** A price as published by a source. */
export interface SourcedPrice {
  readonly token: string;
  /** An integer, scaled by `priceDecimals`. */
  readonly price: string;
  readonly priceDecimals: number;
  /** Unix seconds of its publication. */
  readonly time: number;
  /** Its uncertainty, as a fraction of the price; null: the source does not say. */
  readonly confidence: number | null;
}

/** A service that publishes prices. */
export interface PriceSource {
  /** Becomes part of the ids of events. */
  readonly name: string;
  /** The tokens whose prices it may have. */
  readonly tokens: readonly string[];
  /** The current prices that it has of some of its tokens. @throws HttpError, or the signal's reason */
  read(tokens: readonly string[], signal: AbortSignal): Promise<readonly SourcedPrice[]>;
  close(): void;
}

export interface SourceOptions {
  /** `http(s)://host[:port][/path]` */
  readonly base_url: string;
  /** The service's key, which both public services require. @default none */
  readonly api_key?: string | null | undefined;
  /** The source's name for each of our tokens: the id of a feed, a mint. */
  readonly tokens: Readonly<Record<string, string>>;
}
