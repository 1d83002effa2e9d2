/** How many rollouts fit beside each other. */
export const maxRollouts = 6;

/** The place that shows these sessions side by side. */
export const compareHref = (session_ids: readonly string[]): string =>
  `#/compare?${new URLSearchParams(session_ids.map((id) => ["s", id]))}`;
