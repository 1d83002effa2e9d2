/** What a kind of storage can do, known before it is opened. */
export interface StorageKind {
  /** Whether several gateways may use one storage; each then knows only its own sessions. */
  readonly isShared: boolean;
  /** Whether it may be down when a gateway starts, and come back by itself. */
  readonly mayBeAway: boolean;
  /** Whether it is a file of this machine. */
  readonly isFile: boolean;
}

export const storageKinds: Readonly<Record<"sqlite" | "cloud", StorageKind>> = {
  sqlite: { isShared: false, mayBeAway: false, isFile: true },
  cloud: { isShared: true, mayBeAway: true, isFile: false },
};
