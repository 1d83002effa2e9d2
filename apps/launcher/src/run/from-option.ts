import { UsageError } from "@proj/program";

/** Creates something from an option's value, which a library may reject. @throws UsageError */
export function fromOption<T>(name: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(`--${name}: ${error.message}`);
  }
}
