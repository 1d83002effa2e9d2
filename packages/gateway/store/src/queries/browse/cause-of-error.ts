import { type RawBuilder, sql } from "@proj/database/kysely";
import { type CauseSigns, causeSigns, otherCause } from "@proj/gateway-protocol/failure-causes";
import { escaped } from "./like.ts";

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
export const causeOfError: RawBuilder<string> = sql<string>`case ${sql.join(
  causeSigns.map((signs) => sql`when ${fits(signs)} then ${sql.lit(signs.cause)}`),
  sql` `,
)} else ${sql.lit(otherCause)} end`;
