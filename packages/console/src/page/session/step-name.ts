import type { StoredRow } from "@proj/session-store";
import { count } from "../text/format.ts";

export const nameOf = ({ step_id }: Pick<StoredRow, "step_id">): string =>
  step_id > 0 ? `Step ${count(step_id)}` : `Call ${count(-step_id)} beside`;
