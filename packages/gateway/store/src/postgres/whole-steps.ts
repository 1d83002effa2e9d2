/**
 * Walks back from base to base, taking from each row the bytes that all later rows share with it and that it stores
 * itself. A chain with a deleted beginning is null. A row builds only on an earlier row of
 * its session: whatever the ids in a damaged table are, a chain ends.
 */
const messages = `(
  with recursive link (id, base, needed, part, depth) as (
    select step.id, step.messages_base, step.messages_shared, convert_to(step.messages, 'UTF8'), 0
    union all
    select earlier.id, earlier.messages_base, least(link.needed, coalesce(earlier.messages_shared, 0)),
      substring(convert_to(earlier.messages, 'UTF8') from 1
        for greatest(link.needed - coalesce(earlier.messages_shared, 0), 0)::int),
      link.depth + 1
    from link join stored_steps as earlier on earlier.id = link.base
      and earlier.id < link.id and earlier.session_id = step.session_id
  )
  select case when count(*) filter (where base is null) = 1
    then convert_from(string_agg(part, ''::bytea order by depth desc), 'UTF8') end from link
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

/** The view `session_steps`. PostgreSQL makes its plain columns updatable by itself. */
export const wholeSteps: string = `create view session_steps as
  select id, request_id, session_id, model, step_id, status_code, env_name, job_id, group_id,
    step_reward, reward, is_trainable, is_terminal, is_truncated, is_session_completed, created_at,
    messages_base, messages_shared, meta_json,
    case when messages_base is null then request else ${request} end as request, response,
    case when messages_base is null then messages else ${messages} end as messages
  from stored_steps as step`;
