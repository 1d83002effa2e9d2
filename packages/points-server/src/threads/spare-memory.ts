import { setFlagsFromString } from "node:v8";

/** The one release of which it is known that it has the flag, and what it does. */
const nodeMajor = "26";

/**
 * Until it is disposed of, V8 collects garbage before it is two thirds of what is of use, instead of letting it
 * become twice as much. Flags are the whole process's, and so this is for as long as a job lasts.
 */
export function spareMemory(): Disposable {
  if (process.versions.node.split(".", 1)[0] !== nodeMajor) return { [Symbol.dispose]: () => {} };
  setFlagsFromString("--heap-growing-percent=60");
  return { [Symbol.dispose]: () => setFlagsFromString("--heap-growing-percent=0") };
}
