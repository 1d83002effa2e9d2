/** The snapshot was abandoned because another process has started a newer one. */
export class SnapshotSupersededError extends Error {
  override readonly name = "SnapshotSupersededError";
  constructor() {
    super("another process has started a newer snapshot, so this one was abandoned");
  }
}
