import { readdirSync, readFileSync } from "node:fs";

/** How many file descriptors the process may have; null where the system does not say (only Linux does). */
export function maxFileDescriptors(): number | null {
  try {
    const limits = readFileSync("/proc/self/limits", "utf8");
    const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
    return soft === undefined ? null : Number(soft);
  } catch {
    return null;
  }
}

/** How many it has: infinitely many where none is left to count them by; null where the system does not say. */
export function openFileDescriptors(): number | null {
  try {
    // Without the descriptor that reading the folder itself needs.
    return readdirSync("/proc/self/fd").length - 1;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    return code === "EMFILE" ? Number.POSITIVE_INFINITY : null;
  }
}
