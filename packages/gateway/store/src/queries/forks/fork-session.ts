/**
 * Records which session's record a session begins from, unless that was recorded before. All databases share this
 * statement, except for the names of its parameters.
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
