import { rankings } from "./rankings.js";

/** What the page shows is in its URL, so that it can be shared. */
export function view() {
  const asked = new URLSearchParams(location.search);
  const ranking = asked.get("ranking");
  const offset = Number(asked.get("offset"));
  return {
    ranking: Object.hasOwn(rankings, ranking) ? ranking : "total",
    // Empty: all time.
    season: asked.get("season") ?? "",
    address: asked.get("address") ?? "",
    offset: Number.isSafeInteger(offset) && offset >= 0 ? offset : 0,
  };
}

/** A link to the present view with this change. */
export function linkTo(change) {
  const { ranking, season, address, offset } = { ...view(), ...change };
  const query = new URLSearchParams({ ranking });
  if (season !== "") query.set("season", season);
  if (address !== "") query.set("address", address);
  if (offset > 0) query.set("offset", offset);
  return `?${query}`;
}
