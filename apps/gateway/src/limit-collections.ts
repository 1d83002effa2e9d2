import { setFlagsFromString } from "node:v8";

/** The one release of which it is known that it has the flags, and what they do. */
const nodeMajor = "26";

/**
 * Has a full collection of garbage wait until the heap and the bodies outside of it are 2.5 times what
 * the last one left. V8 would begin one for every 64 MB of bodies, however small its heap is: with bodies
 * of 200 KB a third of the CPU went into that, and pauses of 60 ms.
 */
export function limitCollections(): void {
  if (process.versions.node.split(".", 1)[0] !== nodeMajor) return;
  setFlagsFromString("--external-memory-accounted-in-global-limit");
  setFlagsFromString("--external-memory-max-growing-factor=2.5");
  setFlagsFromString("--heap-growing-percent=150");
}
