/** The requested snapshot is no longer kept, or never existed. */
export class SnapshotGoneError extends Error {
  override readonly name = "SnapshotGoneError";
  constructor(snapshot: string) {
    super(`snapshot ${snapshot} is gone: start again without one`);
  }
}
