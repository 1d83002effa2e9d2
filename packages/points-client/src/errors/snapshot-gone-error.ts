/** The snapshot that was asked for is not kept any more: a server keeps the last few only. */
export class SnapshotGoneError extends Error {
  override readonly name = "SnapshotGoneError";
  readonly snapshot: string;

  constructor(snapshot: string, options?: ErrorOptions) {
    super(`the snapshot '${snapshot}' is gone; begin again, from the newest one`, options);
    this.snapshot = snapshot;
  }
}
