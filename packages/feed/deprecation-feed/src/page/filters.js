const sections = ["upcoming", "undated", "active", "past"].map((id) =>
  document.querySelector(`#${id}`),
);

/** Shows the entries that match the search; the URL contains it, so that it can be shared. */
export function startFilters(entries, whenShown) {
  const form = document.querySelector("#filters");
  const { q, provider, models } = form.elements;
  const texts = new Map(
    entries.map((entry) => [
      entry,
      `${entry.dataset.label} ${entry.querySelector("h3").textContent} ${entry.querySelector("dl").textContent} ${entry.querySelector(".when").textContent}`.toLowerCase(),
    ]),
  );
  const asked = new URLSearchParams(location.search);
  q.value = asked.get("q") ?? "";
  const slugs = [...provider.options].map(({ value }) => value);
  models.value = asked.getAll("model").join(", ");
  provider.value = slugs.includes(asked.get("provider")) ? asked.get("provider") : "";

  const show = () => {
    const words = q.value.toLowerCase().split(/\s+/).filter(Boolean);
    const own = idsIn(models.value);
    showOwnFeeds(own);
    const shown = entries.filter((entry) => {
      const isProvider = provider.value === "" || entry.dataset.provider === provider.value;
      const isOwn = own.length === 0 || own.some((id) => isCalled(entry, id));
      const isMeant = isProvider && isOwn && words.every((word) => texts.get(entry).includes(word));
      entry.hidden = !isMeant;
      return isMeant;
    });
    for (const section of sections) {
      const count = section.querySelectorAll("ol > li:not([hidden])").length;
      section.querySelector(".count").textContent = count;
      section.hidden = count === 0;
    }
    document.querySelector("#none").hidden = shown.length > 0;
    document.querySelector("#found").textContent =
      shown.length === 1 ? "1 model" : `${shown.length} models`;
    whenShown(shown);
  };
  const follow = () => {
    const asked = Object.entries({ q: q.value, provider: provider.value });
    const query = new URLSearchParams([
      ...asked.filter(([, value]) => value !== ""),
      ...idsIn(models.value).map((id) => ["model", id]),
    ]).toString();
    history.replaceState(
      null,
      "",
      `${query === "" ? location.pathname : `?${query}`}${location.hash}`,
    );
    show();
  };
  form.addEventListener("input", follow);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  show();
}

const idsIn = (text) => text.split(/[\s,]+/).filter(Boolean);

/** Whether an id or an alias matches, with or without a platform's prefix. */
function isCalled({ dataset }, id) {
  const wanted = id.toLowerCase();
  const names = [dataset.model, ...dataset.aliases.split(" ")].map((name) => name.toLowerCase());
  return names.includes(wanted) || names.includes(wanted.slice(wanted.lastIndexOf("/") + 1));
}

/** Links to feeds and a calendar of just these models, filtered by the server. */
function showOwnFeeds(ids) {
  document.querySelector("#own").hidden = ids.length === 0;
  const query = new URLSearchParams(ids.map((id) => ["model", id]));
  for (const [id, file] of Object.entries({
    "own-feed": "feed.json",
    "own-rss": "feed.xml",
    "own-calendar": "calendar.ics",
  }))
    document.querySelector(`#${id}`).href = `v1/${file}?${query}`;
}
