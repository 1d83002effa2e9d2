/** Shows which pages could not be read recently. Its own failures are silent, because the list matters more. */
export async function showStatus(place) {
  const response = await fetch("v1/status.json").catch(() => null);
  if (!response?.ok) return;
  const { providers } = await response.json();
  const stale = providers.filter(({ state }) => state === "stale");
  if (stale.length === 0) return;
  const names = stale.map(
    ({ provider, last_good }) =>
      `${provider} (${last_good === "" ? "never yet" : `last on ${last_good.slice(0, 10)}`})`,
  );
  place.textContent = `Could not be read in the last run: ${names.join(", ")}.`;
  place.hidden = false;
}
