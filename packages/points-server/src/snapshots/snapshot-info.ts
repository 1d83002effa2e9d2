import type { Ranking } from "@proj/points-protocol";

/** A snapshot that can be read. */
export interface SnapshotInfo {
  /** Unlike that of any other, of other databases too. */
  readonly id: string;
  /** Unix seconds: what had happened until then is in it. */
  readonly time: number;
  readonly totalItems: Readonly<Record<Ranking, number>>;
}
