import type { Catalogue } from "../collection/catalogue.ts";
import { ModelNames } from "../notice/model-names.ts";

/** A filter for notices and changes; an empty list means all. */
export interface Selection {
  /** Slugs of providers. */
  readonly providers: readonly string[];
  /** Model ids or aliases, or names for them such as `openai/gpt-4`. */
  readonly models: readonly string[];
}

export function select(catalogue: Catalogue, { providers, models }: Selection): Catalogue {
  const isProvider = (slug: string): boolean => providers.length === 0 || providers.includes(slug);
  const names = new ModelNames(
    models.length === 0
      ? []
      : catalogue.notices.flatMap(({ model_id, aliases }) => [model_id, ...aliases]),
  );
  const wanted = new Set(models.flatMap((model) => [model, ...names.resolve(model)]));
  const isModel = (ids: readonly string[]): boolean =>
    models.length === 0 || ids.some((id) => wanted.has(id));
  const notices = catalogue.notices.filter(
    ({ slug, model_id, aliases }) => isProvider(slug) && isModel([model_id, ...aliases]),
  );
  const meant = new Set(notices.map(({ slug, model_id }) => JSON.stringify([slug, model_id])));
  const changes = catalogue.changes.filter(({ slug, model_id }) =>
    meant.has(JSON.stringify([slug, model_id])),
  );
  return { notices, changes };
}
