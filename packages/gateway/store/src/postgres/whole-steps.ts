import type { Payload } from "../large-values.ts";
import { unfoldedSteps as unfolded, wholeSteps as whole } from "../queries/whole-steps-sql.ts";

/**
 * Walks back from base to base, taking from each row the bytes that all later rows share with it and that it stores
 * itself. A chain that has lost a row, or bytes of one, is null. A row builds only on an earlier row of
 * its session: whatever the ids in a damaged table are, a chain ends.
 */
const messages = (steps: string): string => `(
  with recursive link (id, base, needed, part, depth) as (
    select step.id, step.messages_base, step.messages_shared, convert_to(step.messages, 'UTF8'), 0
    union all
    select earlier.id, earlier.messages_base, least(link.needed, coalesce(earlier.messages_shared, 0)),
      substring(convert_to(earlier.messages, 'UTF8') from 1
        for greatest(link.needed - coalesce(earlier.messages_shared, 0), 0)::int),
      link.depth + 1
    from link join ${steps} as earlier on earlier.id = link.base
      and earlier.id < link.id and earlier.session_id = step.session_id
  )
  select case when count(*) filter (where base is null) = 1 and count(part) filter (where depth = 0) = 1
      and coalesce(sum(octet_length(part)) filter (where depth > 0), 0) = step.messages_shared
    then convert_from(string_agg(part, ''::bytea order by depth desc), 'UTF8') end from link
)`;

/**
 * The view `session_steps` over a table or view. PostgreSQL makes its plain columns updatable by itself, and replacing
 * it keeps what users may do with it.
 */
export const wholeSteps = (steps: string): string =>
  `create or replace view session_steps as ${whole(steps, messages)}`;

/**
 * Puts the large strings of a payload back, in the order of their places. A payload that has lost one is null. The name
 * of the encoding would give the text its own collation.
 */
const ownPayload = (payload: Payload): string => `case when exists (
    select from step_values where row_id = step.id and payload = '${payload}'
  ) then (
    select case when count(*) = count(part) then convert_from(string_agg(part, ''::bytea order by position)
      || substring(convert_to(step.${payload}, 'UTF8') from max(rest_end) + 1), 'UTF8') collate "default" end
    from (
      select position, rest_end,
        substring(convert_to(step.${payload}, 'UTF8') from rest_start + 1 for rest_end - rest_start)
          || convert_to(content, 'UTF8') as part
      from step_values left join stored_values using (scope, sha256)
      where row_id = step.id and payload = '${payload}'
    ) as piece
  ) else ${payload} end`;

export const unfoldedSteps: string = `create view unfolded_steps as ${unfolded(ownPayload)}`;
