import type { SourceOptions } from "../price-sources/price-source.ts";
import type { Program } from "../program/program.ts";

export interface PriceSourceSettings extends SourceOptions {
  readonly kind: "hermes" | "jupiter";
}

/** The settings of a server, named as in its file. */
export interface PointsSettings {
  readonly listen_host: string;
  readonly listen_port: number;
  readonly prefix: string;
  readonly db_url: string;
  readonly synchronous: "full" | "normal";
  readonly pool_size: number;
  readonly job_niceness: number;
  readonly ingest_secret: string | null;
  readonly max_body_bytes: number;
  /** A file that gets a line of JSON per event of the log; null: none. */
  readonly log_path: string | null;
  /** How many seconds browsers and proxies may cache prices; 0: they revalidate each time. */
  readonly price_max_age_s: number;
  /** Services to fetch prices from, in order of preference. */
  readonly price_sources: readonly PriceSourceSettings[];
  /** Seconds between two rounds of requests to them. */
  readonly price_interval_s: number;
  /** Age in seconds above which a price is ignored. */
  readonly price_stale_s: number;
  readonly program: Program;
}
