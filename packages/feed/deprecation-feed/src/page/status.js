/** Shows which pages could not be read recently, or not completely. Its own failures are silent, because the list matters more. */
export async function showStatus(place) {
  const response = await fetch("v1/status.json").catch(() => null);
  if (!response?.ok) return;
  const { providers } = await response.json();
  const stale = providers.filter(({ state }) => state === "stale");
  const gaps = providers.filter(({ state }) => state === "read with gaps");
  if (stale.length + gaps.length === 0) return;
  const names = stale.map(
    ({ provider, last_good }) =>
      `${provider} (${last_good === "" ? "never yet" : `last on ${last_good.slice(0, 10)}`})`,
  );
  const unread =
    stale.length === 0 ? "" : `Could not be read in the last run: ${names.join(", ")}.`;
  place.replaceChildren(unread, ...gaps.map(gapsOf));
  place.hidden = false;
}

/** What a person has to look at, with the old words beside the new ones. */
function gapsOf({ provider, reason, held_back = [], unread = [] }) {
  const lines = [
    ...held_back.map(({ model_id, reason, old_words, new_words }) => [
      `${model_id}: ${reason}`,
      old_words,
      new_words,
    ]),
    ...unread.map(({ place, words }) => [`Could not be read: ${place}`, words]),
  ];
  const details = element("details", element("summary", `${provider}: ${reason}`));
  for (const [title, ...words] of lines) {
    const quotes = words.filter((text) => text !== "").map((text) => element("blockquote", text));
    details.append(element("p", title), ...quotes);
  }
  return details;
}

function element(name, ...children) {
  const made = document.createElement(name);
  made.append(...children);
  return made;
}
