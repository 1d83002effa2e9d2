import { UsageError } from "@proj/program";

/** Makes something of an option's value, which a library may find wrong. @throws UsageError */
export function fromOption<T>(name: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(`--${name}: ${error.message}`);
  }
}
