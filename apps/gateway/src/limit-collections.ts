import { setFlagsFromString } from "node:v8";

/** The only release that is known to have these flags with these effects. */
const nodeMajor = "26";

/**
 * Keeps V8 from collecting more than it must. A full collection waits until the heap and the bodies outside it are
 * 2.5 times what the last one left. By default V8 starts one for every 64 MB of bodies, however small its heap
 * is: with bodies of 200 KB that took a third of the CPU, in pauses of 60 ms.
 */
export function limitCollections(): void {
  if (process.versions.node.split(".", 1)[0] !== nodeMajor) return;
  setFlagsFromString("--external-memory-accounted-in-global-limit");
  setFlagsFromString("--external-memory-max-growing-factor=2.5");
  setFlagsFromString("--heap-growing-percent=150");
  // By default V8 puts the objects that a literal makes among the old ones at once, for good, if nearly all of its
  // first hundred have survived a collection. Those of the first waiting requests do. From then on each request leaves
  // an old object, which keeps the rest of the request alive until the next full collection. That happened in every
  // second process, took a quarter of its CPU, and paused it for 30 ms at a time.
  setFlagsFromString("--no-allocation-site-pretenuring");
}
