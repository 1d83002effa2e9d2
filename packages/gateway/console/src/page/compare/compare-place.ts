/** The place that shows these sessions side by side. */
export const compareHref = (session_ids: readonly string[]): string =>
  `#/compare?${new URLSearchParams(session_ids.map((id) => ["s", id]))}`;
