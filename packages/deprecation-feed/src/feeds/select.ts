import type { Catalogue } from "../collection/catalogue.ts";

/** Which notices and changes are meant; an empty list means all. */
export interface Selection {
  /** Slugs of providers. */
  readonly providers: readonly string[];
  /** Model ids or aliases. */
  readonly models: readonly string[];
}

export function select(catalogue: Catalogue, { providers, models }: Selection): Catalogue {
  const isProvider = (slug: string): boolean => providers.length === 0 || providers.includes(slug);
  const isModel = (ids: readonly string[]): boolean =>
    models.length === 0 || ids.some((id) => models.includes(id));
  const notices = catalogue.notices.filter(
    ({ slug, model_id, aliases }) => isProvider(slug) && isModel([model_id, ...aliases]),
  );
  const meant = new Set(notices.map(({ slug, model_id }) => JSON.stringify([slug, model_id])));
  const changes = catalogue.changes.filter(({ slug, model_id }) =>
    meant.has(JSON.stringify([slug, model_id])),
  );
  return { notices, changes };
}
