import { type RawBuilder, sql } from "@proj/database/kysely";
import type { Payload } from "../large-values.ts";

/**
 * The size of a payload of `stored_steps` with its large strings; null without a payload. A database knows a
 * text's size without reading the text.
 */
export const payloadBytes = (payload: Payload): RawBuilder<number | null> =>
  sql`octet_length(${sql.ref(payload)}) + coalesce((select cast(sum(bytes) as integer) from step_values
    where row_id = stored_steps.id and payload = ${sql.lit(payload)}), 0)`;
