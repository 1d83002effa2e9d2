import type { SourceOptions } from "../price-sources/price-source.ts";
import type { Program } from "../program/program.ts";

export interface PriceSourceSettings extends SourceOptions {
  readonly kind: "hermes" | "jupiter";
}

/** All that a server is told, named as in its file. */
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
  /** A file that gets a line of JSON for each thing that happens; null: none. */
  readonly log_path: string | null;
  /** Seconds for which browsers and proxies may keep prices; 0: they ask each time. */
  readonly price_max_age_s: number;
  /** Where prices come from by themselves, in the order of preference. */
  readonly price_sources: readonly PriceSourceSettings[];
  /** Seconds between two questions to them. */
  readonly price_interval_s: number;
  /** Seconds after which what they have is not taken. */
  readonly price_stale_s: number;
  readonly program: Program;
}
