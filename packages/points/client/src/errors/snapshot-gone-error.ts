/** The requested snapshot is gone: a server keeps only the last few. */
export class SnapshotGoneError extends Error {
  override readonly name = "SnapshotGoneError";
  readonly snapshot: string;

  constructor(snapshot: string, options?: ErrorOptions) {
    super(`the snapshot '${snapshot}' is gone; start again from the newest one`, options);
    this.snapshot = snapshot;
  }
}
