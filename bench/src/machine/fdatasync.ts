import { closeSync, fdatasyncSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import { join } from "node:path";
import { median } from "../statistics.ts";

const WRITES = 200;
const TMPFS_MAGIC = 0x01021994;

/** The median time for appending 4 KB with `fdatasync` in `folder`, in milliseconds. */
export function measureFdatasyncMs(folder: string): number {
  const file = join(folder, "fdatasync.probe");
  const block = Buffer.alloc(4096, 1);
  const times: number[] = [];
  const descriptor = openSync(file, "w");
  try {
    for (let written = 0; written < WRITES; written++) {
      const before = performance.now();
      writeSync(descriptor, block);
      fdatasyncSync(descriptor);
      times.push(performance.now() - before);
    }
  } finally {
    closeSync(descriptor);
    rmSync(file, { force: true });
  }
  return median(times);
}

/** A database in memory would flatter all figures about durable storage. */
export function isInMemory(folder: string): boolean {
  return statfsSync(folder).type === TMPFS_MAGIC;
}
