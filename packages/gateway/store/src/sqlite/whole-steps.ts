/**
 * Walks back from base to base, taking from each row the bytes that all later rows share with it and that it stores
 * itself. Text is cut as a blob, by bytes. A chain with a deleted beginning is null. A row builds only on an earlier row of
 * its session: whatever the ids in a damaged table are, a chain ends. SQLite parses every view when it
 * opens a file, so this must be SQL for SQLite 3.31: an ordered aggregate (3.44) would make the whole file unreadable
 * for older versions. group_concat keeps the order of a sub-select.
 */
const messages = `(
  with recursive link (id, base, needed, part, depth) as (
    select step.id, step.messages_base, step.messages_shared, cast(step.messages as blob), 0
    union all
    select earlier.id, earlier.messages_base, min(link.needed, coalesce(earlier.messages_shared, 0)),
      substr(cast(earlier.messages as blob), 1,
        max(link.needed - coalesce(earlier.messages_shared, 0), 0)),
      link.depth + 1
    from link join stored_steps as earlier on earlier.id = link.base
      and earlier.id < link.id and earlier.session_id = step.session_id
  )
  select case when sum(base is null) = 1 then group_concat(part, '') end
  from (select base, cast(part as text) as part from link order by depth desc)
)`;

const request = `(
  with recursive link (id, base, request) as (
    select step.id, step.messages_base, step.request
    union all
    select earlier.id, earlier.messages_base, earlier.request
    from link join stored_steps as earlier on earlier.id = link.base
      and earlier.id < link.id and earlier.session_id = step.session_id
    where link.request is null
  )
  select request from link where request is not null
)`;

const view = `create view session_steps as
  select id, request_id, session_id, model, step_id, status_code, env_name, job_id, group_id,
    step_reward, reward, is_trainable, is_terminal, is_truncated, is_session_completed, created_at,
    messages_base, messages_shared, meta_json,
    case when messages_base is null then request else ${request} end as request, response,
    case when messages_base is null then messages else ${messages} end as messages
  from stored_steps as step`;

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

/** Creates the view `session_steps`, in SQLite's SQL. */
export const wholeSteps: readonly string[] = [view, update];
