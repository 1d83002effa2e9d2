import type { Ranking } from "@proj/points-client/wire";

/** A snapshot that can be read. */
export interface SnapshotInfo {
  /** Unique, across databases too. */
  readonly id: string;
  /** Unix seconds: it includes the events up to this time. */
  readonly time: number;
  readonly totalItems: Readonly<Record<Ranking, number>>;
}
