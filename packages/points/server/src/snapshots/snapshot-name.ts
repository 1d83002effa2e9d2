/** A snapshot's name as stored in the table `snapshots`. */
export interface SnapshotKey {
  /** Grows with each snapshot. */
  readonly id: number;
  /** Hexadecimal digits. */
  readonly salt: string;
}

/** The name by which readers ask for the snapshot again. */
export function snapshotName({ id, salt }: SnapshotKey): string {
  return `${id}-${salt}`;
}

/** @returns null: this is not a name of a snapshot */
export function parseSnapshotName(name: string): SnapshotKey | null {
  const [, id, salt] = /^([1-9]\d{0,14})-([0-9a-f]{16})$/.exec(name) ?? [];
  return id === undefined || salt === undefined ? null : { id: Number(id), salt };
}
