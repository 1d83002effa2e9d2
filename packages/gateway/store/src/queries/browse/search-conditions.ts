import {
  type Expression,
  type ExpressionBuilder,
  type RawBuilder,
  type SqlBool,
  sql,
} from "@proj/database/kysely";
import { parameter } from "@proj/database/queries";
import { type CauseSigns, causeSigns, otherCause } from "@proj/gateway-protocol/failure-causes";
import type { EnvironmentStatus } from "../../environment-row.ts";
import type { StoreTables } from "../../schema.ts";
import type { RewardBound, SessionSearch } from "../../store-browser.ts";
import { escaped, like, pattern } from "./like.ts";

/** The values of all conditions of a search, by the names of their parameters. */
export function valuesOf(search: SessionSearch): Record<string, string | number> {
  const { model = "", job_id = "", group_id = "", status_code = 0, error, tool, text } = search;
  return {
    ...{ model, job_id, group_id, status_code },
    status: search.status ?? "",
    cause: search.cause ?? "",
    code: `${escaped(search.cause ?? "")}:%`,
    reward: search.reward?.value ?? 0,
    error: pattern(typeof error === "string" ? error : ""),
    // JSON is written with and without spaces.
    tool: pattern(`"name":"${tool}"`),
    spaced_tool: pattern(`"name": "${tool}"`),
    text: pattern(text ?? ""),
    json_text: pattern(JSON.stringify(text ?? "").slice(1, -1)),
  };
}

type Attempts = ExpressionBuilder<StoreTables, "job_environments">;
export type AttemptCondition = (attempt: Attempts) => Expression<SqlBool>;

const rewarded =
  (operator: RewardBound["operator"]): AttemptCondition =>
  (attempt) =>
    attempt("job_environments.reward", operator, parameter<number>("reward"));

/** What a search says about attempts, also about those of sessions with calls. */
export const attemptConditions: Readonly<
  Record<"status" | "cause" | "name" | `reward${RewardBound["operator"]}`, AttemptCondition>
> = {
  status: (attempt) =>
    attempt("job_environments.status", "=", parameter<EnvironmentStatus>("status")),
  cause: ({ and, eb, or }) =>
    and([
      eb("job_environments.status", "in", ["failed", "infrastructure"]),
      or([like("error", "code"), eb(causeOfError, "=", parameter<string>("cause"))]),
    ]),
  name: () => like("simulation_id", "text"),
  "reward<": rewarded("<"),
  "reward<=": rewarded("<="),
  "reward=": rewarded("="),
  "reward>=": rewarded(">="),
  "reward>": rewarded(">"),
};

const fits = ({ codes = [], texts = [], status }: CauseSigns): RawBuilder<boolean> =>
  sql`(${sql.join(
    [
      ...codes.map((code) => sql`lower(error) like ${sql.lit(`${escaped(code)}%`)} escape '\\'`),
      ...texts.map((text) => sql`lower(error) like ${sql.lit(`%${text}%`)}`),
      ...(status === undefined ? [] : [sql`job_environments.status = ${sql.lit(status)}`]),
    ],
    sql` or `,
  )})`;

/** Why an attempt failed: the same as `causeOfFailure`. */
const causeOfError: RawBuilder<string> = sql<string>`case ${sql.join(
  causeSigns.map((signs) => sql`when ${fits(signs)} then ${sql.lit(signs.cause)}`),
  sql` `,
)} else ${sql.lit(otherCause)} end`;
