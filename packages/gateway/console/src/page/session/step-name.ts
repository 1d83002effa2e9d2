import type { StoredRow } from "@proj/session-store";
import { count } from "../text/format.ts";

/** Calls that are not steps, such as embeddings, have negative numbers. */
export const nameOf = ({ step_id }: Pick<StoredRow, "step_id">): string =>
  step_id > 0 ? `Step ${count(step_id)}` : `Extra call ${count(-step_id)}`;
