const sections = ["upcoming", "undated", "past"].map((id) => document.querySelector(`#${id}`));

/** Shows what is searched for; the address says it too, so that it can be passed on. */
export function startFilters(entries, whenShown) {
  const form = document.querySelector("#filters");
  const { q, provider } = form.elements;
  const texts = new Map(
    entries.map((entry) => [
      entry,
      `${entry.dataset.label} ${entry.querySelector("h3").textContent} ${entry.querySelector("dl").textContent}`.toLowerCase(),
    ]),
  );
  const asked = new URLSearchParams(location.search);
  q.value = asked.get("q") ?? "";
  const slugs = [...provider.options].map(({ value }) => value);
  provider.value = slugs.includes(asked.get("provider")) ? asked.get("provider") : "";

  const show = () => {
    const words = q.value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = entries.filter((entry) => {
      const isProvider = provider.value === "" || entry.dataset.provider === provider.value;
      const isMeant = isProvider && words.every((word) => texts.get(entry).includes(word));
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
    const query = new URLSearchParams(
      Object.entries({ q: q.value, provider: provider.value }).filter(([, value]) => value !== ""),
    ).toString();
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
