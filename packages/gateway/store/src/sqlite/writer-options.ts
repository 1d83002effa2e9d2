import type { WriterOptions } from "@proj/database/sqlite";

export const writerOptions = (synchronous: "full" | "normal"): WriterOptions => ({
  synchronous,
  keptWalBytes: 32 * 1024 * 1024,
  checkpointBytes: 0,
});
