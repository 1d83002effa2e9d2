import { distance, today } from "./days.js";
import { startFilters } from "./filters.js";
import { showStatus } from "./status.js";
import { drawTimeline } from "./timeline.js";

const day = today();
const entries = [...document.querySelectorAll(".notices > li")];

arrange(entries, day);
startFilters(entries, (shown) => drawTimeline(document.querySelector("#timeline"), shown, day));
showStatus(document.querySelector("#stale"));

/** The file does not know today's date: models that have ended since it was written move to their section. */
function arrange(list, now) {
  const lists = Object.fromEntries(
    ["upcoming", "past"].map((id) => [id, document.querySelector(`#${id} > ol`)]),
  );
  const dated = list
    .filter(({ dataset }) => dataset.shutdown !== "")
    .sort((a, b) => (a.dataset.shutdown < b.dataset.shutdown ? -1 : 1));
  for (const entry of dated) {
    const { shutdown } = entry.dataset;
    const words = document.createElement("span");
    words.className = "distance";
    words.textContent = distance(now, shutdown);
    entry.querySelector(".when").append(words);
    if (shutdown >= now) lists.upcoming.append(entry);
    else lists.past.prepend(entry);
  }
}
