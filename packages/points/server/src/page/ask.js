import { askJson, reach } from "./server.js";

const { prefix, network } = document.documentElement.dataset;

export const askPoints = (path, options) => askJson(`${prefix}/${path}`, options);

/** By season, the snapshot whose pages are shown, so that all pages fit together; none: the newest. */
const pinned = new Map();

/** @param snapshot null: none */
export function pin(season, snapshot) {
  if (snapshot === null) pinned.delete(season);
  else pinned.set(season, snapshot);
}

export const pinnedSnapshot = (season) => pinned.get(season) ?? null;

/** The name of a season's newest snapshot, whatever is cached; null: there is none yet. */
export async function newestSnapshot(season) {
  const query = new URLSearchParams({ size: 0, ...inSeason(season) });
  const path = `${prefix}/${network}/total/null?${query}`;
  const response = await reach(path, { cache: "no-cache" });
  return response.ok ? response.headers.get("x-snapshot") : null;
}

/** An answer with a ranking, its `snapshot` and `time`, and how many records come before the user's. */
export async function askRanking({ ranking, season }, address, query = {}) {
  const snapshot = pinnedSnapshot(season);
  const asked = { ...query, ...inSeason(season), ...(snapshot === null ? {} : { snapshot }) };
  const segment = encodeURIComponent(address || "null");
  const path = `${prefix}/${network}/${ranking}/${segment}?${new URLSearchParams(asked)}`;
  const response = await reach(path);
  const body = await response.json().catch(() => null);
  if (response.status === 410 && snapshot !== null) {
    pin(season, null);
    return askRanking({ ranking, season }, address, query);
  }
  if (!response.ok) {
    const error = new Error(body?.detail ?? `The server answered ${response.status}.`);
    throw Object.assign(error, { status: response.status });
  }
  const { headers } = response;
  const time = Number(headers.get("x-snapshot-time"));
  const userOffset = Number(headers.get("x-user-offset"));
  return { ...body, snapshot: headers.get("x-snapshot"), time, userOffset };
}

const inSeason = (season) => (season === "" ? {} : { season });
