import { type Payload, payloads } from "../large-values.ts";

const columns = `id, request_id, session_id, model, step_id, status_code, env_name, job_id, group_id,
    step_reward, reward, is_trainable, is_terminal, is_truncated, is_session_completed, created_at,
    messages_base, messages_shared, meta_json`;

/** The request of the row that a row builds on, or of an earlier one. A chain ends whatever the ids in a damaged table are. */
const request = (steps: string): string => `(
  with recursive link (id, base, request) as (
    select step.id, step.messages_base, step.request
    union all
    select earlier.id, earlier.messages_base, earlier.request
    from link join ${steps} as earlier on earlier.id = link.base
      and earlier.id < link.id and earlier.session_id = step.session_id
    where link.request is null
  )
  select request from link where request is not null
)`;

/**
 * The columns of the view `session_steps`, which shows each row of a table or view whole.
 * @param messages in the database's own SQL
 */
export const wholeSteps = (steps: string, messages: (steps: string) => string): string => `
  select ${columns},
    case when messages_base is null then request else ${request(steps)} end as request, response,
    case when messages_base is null then messages else ${messages(steps)} end as messages
  from ${steps} as step`;

/**
 * Those of the view `unfolded_steps`, which has each row's own payloads with their large strings.
 * @param unfolded a payload in the database's own SQL
 */
export const unfoldedSteps = (unfolded: (payload: Payload) => string): string => `
  select ${columns}, ${payloads.map((payload) => `${unfolded(payload)} as ${payload}`).join(", ")}
  from stored_steps as step`;
