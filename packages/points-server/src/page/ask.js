import { askJson, reach } from "./server.js";

const { prefix, network } = document.documentElement.dataset;

export const askPoints = (path, options) => askJson(`${prefix}/${path}`, options);

/** The snapshot whose pages are shown, so that all pages fit together; null: the newest. */
let pinned = null;

export const pin = (snapshot) => {
  pinned = snapshot;
};

export const pinnedSnapshot = () => pinned;

/** The name of the newest snapshot, whatever is cached; null: there is none yet. */
export async function newestSnapshot() {
  const path = `${prefix}/${network}/total/null?size=0`;
  const response = await reach(path, { cache: "no-cache" });
  return response.ok ? response.headers.get("x-snapshot") : null;
}

/** An answer with a ranking, its `snapshot` and its `time`. */
export async function askRanking(ranking, address, query = {}) {
  const asked = new URLSearchParams(pinned === null ? query : { ...query, snapshot: pinned });
  const segment = encodeURIComponent(address || "null");
  const response = await reach(`${prefix}/${network}/${ranking}/${segment}?${asked}`);
  const body = await response.json().catch(() => null);
  if (response.status === 410 && pinned !== null) {
    pin(null);
    return askRanking(ranking, address, query);
  }
  if (!response.ok) {
    const error = new Error(body?.detail ?? `The server answered ${response.status}.`);
    throw Object.assign(error, { status: response.status });
  }
  const snapshot = response.headers.get("x-snapshot");
  return { ...body, snapshot, time: Number(response.headers.get("x-snapshot-time")) };
}
