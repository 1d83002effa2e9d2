const { prefix, network } = document.documentElement.dataset;

/** What the interface answers. Its refusals are errors with their words. */
async function ask(path) {
  const response = await fetch(path);
  const body = await response.json().catch(() => null);
  if (response.ok) return body;
  throw new Error(body?.detail ?? `The server answered ${response.status}.`);
}

export const askPoints = (path) => ask(`${prefix}/${path}`);

export const askRanking = (ranking, address, query = {}) =>
  askPoints(
    `${network}/${ranking}/${encodeURIComponent(address || "null")}?${new URLSearchParams(query)}`,
  );
