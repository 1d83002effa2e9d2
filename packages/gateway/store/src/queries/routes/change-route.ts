/**
 * Creates or changes a route's state and returns it. All databases share this statement, except for the names of its
 * parameters.
 */
export const changeRouteSql = (model: string, pause: string, weight_version: string): string => `
  insert into route_states (model, pause, weight_version, revision)
  values (${model}, ${pause}, ${weight_version}, 1)
  on conflict (model) do update set pause = excluded.pause, revision = route_states.revision + 1,
    weight_version = coalesce(excluded.weight_version, route_states.weight_version)
  returning model, pause, weight_version, revision`;
