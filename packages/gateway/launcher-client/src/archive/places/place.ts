/** Where an archive is: files by their path below it. Every method throws its own errors, and the signal's reason. */
export interface ArchivePlace {
  /** As it was named. */
  readonly address: string;
  /** Writes a file, or replaces it. Readers see all of it or nothing, and it is durable. */
  put(path: string, bytes: Uint8Array): Promise<void>;
  /** @returns false: the file exists, and stays as it is */
  putNew(path: string, bytes: Uint8Array): Promise<boolean>;
  /** Null: the archive lacks this file. */
  get(path: string): Promise<Buffer | null>;
  /** The paths that begin with this folder, which ends with a slash, in any order. */
  list(folder: string): Promise<string[]>;
  /** A missing file is not an error. */
  remove(path: string): Promise<void>;
  /** Releases the connections. */
  close(): void;
}
