/**
 * Says from which record a session begins, unless that was said before. One statement for all databases,
 * but for the names of its parameters.
 */
export const forkSessionSql = (
  session_id: string,
  from_session_id: string,
  model: string,
  step: string,
  mode: string,
  ignored: string,
): string => `
  insert into session_forks (session_id, from_session_id, model, step, mode, ignored)
  values (${session_id}, ${from_session_id}, ${model}, ${step}, ${mode}, ${ignored})
  on conflict (session_id) do nothing`;
