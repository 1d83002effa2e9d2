/** What the table `snapshots` has of a snapshot's name. */
export interface SnapshotKey {
  /** Grows from one to the next. */
  readonly id: number;
  /** Hexadecimal digits. */
  readonly salt: string;
}

/** By which readers ask for it again. */
export function snapshotName({ id, salt }: SnapshotKey): string {
  return `${id}-${salt}`;
}

/** @returns null: no snapshot has such a name */
export function parseSnapshotName(name: string): SnapshotKey | null {
  const [, id, salt] = /^([1-9]\d{0,14})-([0-9a-f]{16})$/.exec(name) ?? [];
  return id === undefined || salt === undefined ? null : { id: Number(id), salt };
}
