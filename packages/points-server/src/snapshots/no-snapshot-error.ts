/** Nothing has been counted yet: the first snapshot is still to be built. */
export class NoSnapshotError extends Error {
  override readonly name = "NoSnapshotError";

  constructor() {
    super("no snapshot has been built yet");
  }
}
