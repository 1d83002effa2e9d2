import {
  type Expression,
  type ExpressionBuilder,
  type RawBuilder,
  type SqlBool,
  sql,
} from "@proj/database/kysely";
import { parameter } from "@proj/database/queries";
import type { StoreTables } from "../../schema.ts";

/** The bytes that a row itself stores of its payloads. */
export const ownBytes: RawBuilder<number> = sql<number>`coalesce(octet_length(request), 0) + coalesce(octet_length(response), 0)
  + coalesce(octet_length(messages), 0)`;

/**
 * Whether a session, to which `stored_steps` are grouped, may be pruned: it is old enough, its attempt has ended, and no
 * other session begins from its record.
 */
export const isPrunable = (
  step: ExpressionBuilder<StoreTables, "stored_steps">,
): Expression<SqlBool> =>
  step.and([
    step(step.fn.max("created_at"), "<", parameter<string>("before")),
    step.not(
      step.exists(
        step
          .selectFrom("job_environments")
          .select("job_environments.session_id")
          .whereRef("job_environments.session_id", "=", "stored_steps.session_id")
          .where("status", "in", ["pending", "running"]),
      ),
    ),
    step.not(
      step.exists(
        step
          .selectFrom("session_forks")
          .select("session_forks.session_id")
          .whereRef("from_session_id", "=", "stored_steps.session_id"),
      ),
    ),
  ]);
