import type { Payload } from "../large-values.ts";
import { unfoldedSteps as unfolded, wholeSteps as whole } from "../queries/whole-steps-sql.ts";

/**
 * Walks back from base to base, taking from each row the bytes that all later rows share with it and that it stores
 * itself. Text is cut as a blob, by bytes. A chain that has lost a row, or bytes of one, is null. A row builds only on an earlier row of
 * its session: whatever the ids in a damaged table are, a chain ends. SQLite parses every view when it
 * opens a file, so this must be SQL for SQLite 3.31: an ordered aggregate (3.44) would make the whole file unreadable
 * for older versions. group_concat keeps the order of a sub-select.
 */
const messages = (steps: string): string => `(
  with recursive link (id, base, needed, part, depth) as (
    select step.id, step.messages_base, step.messages_shared, cast(step.messages as blob), 0
    union all
    select earlier.id, earlier.messages_base, min(link.needed, coalesce(earlier.messages_shared, 0)),
      substr(cast(earlier.messages as blob), 1,
        max(link.needed - coalesce(earlier.messages_shared, 0), 0)),
      link.depth + 1
    from link join ${steps} as earlier on earlier.id = link.base
      and earlier.id < link.id and earlier.session_id = step.session_id
  )
  select case when sum(base is null) = 1 and count(case when depth = 0 then bytes end) = 1
      and coalesce(sum(case when depth > 0 then bytes end), 0) = step.messages_shared
    then group_concat(part, '') end
  from (select base, depth, length(part) as bytes, cast(part as text) as part from link order by depth desc)
)`;

/** The columns that programs other than the gateway write. SQLite refuses updates of any other. */
const update = `create trigger session_steps_update instead of update of status_code, step_reward,
    reward, is_trainable, is_terminal, is_truncated, is_session_completed, meta_json
  on session_steps begin
    update stored_steps set status_code = new.status_code, step_reward = new.step_reward,
      reward = new.reward, is_trainable = new.is_trainable, is_terminal = new.is_terminal,
      is_truncated = new.is_truncated, is_session_completed = new.is_session_completed,
      meta_json = new.meta_json
    where id = old.id;
  end`;

/** The view `session_steps` over a table or view, in place of an earlier one. */
export const wholeSteps = (steps: string): readonly string[] => [
  "drop view if exists session_steps",
  `create view session_steps as ${whole(steps, messages)}`,
  update,
];

/** Puts the large strings of a payload back, in the order of their places. A payload that has lost one is null. */
const ownPayload = (payload: Payload): string => `case when exists (
    select 1 from step_values where row_id = step.id and payload = '${payload}'
  ) then (
    select case when count(*) = count(part) then group_concat(part, '')
      || cast(substr(cast(step.${payload} as blob), max(rest_end) + 1) as text) end
    from (
      select rest_end, cast(substr(cast(step.${payload} as blob), rest_start + 1, rest_end - rest_start) as text)
        || (select content from stored_values where stored_values.scope = step_values.scope
          and stored_values.sha256 = step_values.sha256) as part
      from step_values where row_id = step.id and payload = '${payload}' order by position
    )
  ) else ${payload} end`;

export const unfoldedSteps: string = `create view unfolded_steps as ${unfolded(ownPayload)}`;
