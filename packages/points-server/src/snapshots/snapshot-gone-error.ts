/** The snapshot that was asked for is not kept any longer, or never was there. */
export class SnapshotGoneError extends Error {
  override readonly name = "SnapshotGoneError";
  constructor(snapshot: string) {
    super(`there is no snapshot ${snapshot} any longer: start again without one`);
  }
}
