import type { Change } from "../collection/catalogue.ts";

/** The permanent id of a model's item in every feed and in the calendar. */
export const noticeId = (slug: string, model_id: string): string =>
  `urn:model-deprecation:${slug}:${encodeURIComponent(model_id)}`;

/** The id of a change; the day is when it was first seen. */
export const changeId = ({ slug, model_id, field, date_observed }: Change): string =>
  `${noticeId(slug, model_id)}:${field}:${date_observed.slice(0, 10)}`;
