/** The first snapshot has not been built yet. */
export class NoSnapshotError extends Error {
  override readonly name = "NoSnapshotError";

  constructor() {
    super("no snapshot has been built yet");
  }
}
