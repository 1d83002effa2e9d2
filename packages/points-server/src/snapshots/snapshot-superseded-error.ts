/** A snapshot was given up, as another process has begun a newer one. */
export class SnapshotSupersededError extends Error {
  override readonly name = "SnapshotSupersededError";
  constructor() {
    super("another process has begun a newer snapshot, and this one was given up");
  }
}
