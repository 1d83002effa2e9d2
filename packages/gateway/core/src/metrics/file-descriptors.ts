import { readdirSync, readFileSync } from "node:fs";

/** The process's limit on file descriptors; null except on Linux. */
export function maxFileDescriptors(): number | null {
  try {
    const limits = readFileSync("/proc/self/limits", "utf8");
    const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
    return soft === undefined ? null : Number(soft);
  } catch {
    return null;
  }
}

/** The number of open file descriptors. Infinite if none is left to count them with; null except on Linux. */
export function openFileDescriptors(): number | null {
  try {
    // Excludes the descriptor used to read the folder.
    return readdirSync("/proc/self/fd").length - 1;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    return code === "EMFILE" ? Number.POSITIVE_INFINITY : null;
  }
}
