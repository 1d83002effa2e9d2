import { StoreUnavailableError } from "@proj/database";
import { Problem } from "@proj/resource-router";
import { NoSnapshotError } from "../snapshots/no-snapshot-error.ts";
import { SnapshotGoneError } from "../snapshots/snapshot-gone-error.ts";

/** The operation, with the store's errors turned into problems. */
export function guarded<C>(
  operation: (context: C) => Promise<unknown>,
): (context: C) => Promise<unknown> {
  return (context) => operation(context).catch(throwProblem);
}

function throwProblem(error: unknown): never {
  if (error instanceof SnapshotGoneError)
    throw new Problem(410, "This snapshot is no longer kept. Start again from the newest one.", {
      cause: error,
    });
  if (error instanceof NoSnapshotError)
    throw new Problem(503, "No snapshot has been built yet. Try again soon.", {
      headers: { "retry-after": "2" },
      cause: error,
    });
  if (error instanceof StoreUnavailableError)
    throw new Problem(503, "The data cannot be read at the moment. Try again later.", {
      headers: { "retry-after": "2" },
      cause: error,
    });
  throw error;
}
