/** An archive cannot be written or read; the message says why, and what to do. */
export class ArchiveError extends Error {
  override readonly name = "ArchiveError";
}
