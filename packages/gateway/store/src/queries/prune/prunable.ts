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

/** Whether a fork has steps, or may have some: an attempt that ended without any never reads its origin again. */
const mayRead = (
  fork: ExpressionBuilder<StoreTables & { fork: StoreTables["session_forks"] }, "fork">,
): Expression<SqlBool> =>
  fork.or([
    fork.exists(
      fork
        .selectFrom("stored_steps as own")
        .select("own.id")
        .whereRef("own.session_id", "=", "fork.session_id"),
    ),
    fork.not(
      fork.exists(
        fork
          .selectFrom("job_environments as attempt")
          .select("attempt.session_id")
          .whereRef("attempt.session_id", "=", "fork.session_id")
          .where("attempt.status", "not in", ["pending", "running"]),
      ),
    ),
  ]);

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
          .selectFrom("session_forks as fork")
          .select("fork.session_id")
          .whereRef("fork.from_session_id", "=", "stored_steps.session_id")
          .where(mayRead),
      ),
    ),
  ]);
