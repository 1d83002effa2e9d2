import { askPoints, newestSnapshot, pinnedSnapshot } from "./ask.js";
import { time, whole } from "./format.js";
import { serverTime } from "./server-time.js";

/** Seconds between two looks for a snapshot that is late. */
const lookEvery = 5;

const place = document.querySelector("#as-of");
let timer = null;

/**
 * Shows the ranking's time, counts down to the next one, and looks for it once it is due.
 * @param season undefined: all time
 * @param onNewer gets the name of a newer snapshot
 */
export function follow(shownTime, season, { refreshTime }, onNewer) {
  const end = Number(season?.endTimestamp ?? Number.POSITIVE_INFINITY);
  if (end <= shownTime) {
    clearInterval(timer);
    place.replaceChildren("This season ended on ", time(end));
    return;
  }
  const next = document.createElement("span");
  const every = `, recomputed every ${whole(refreshTime)} seconds`;
  place.replaceChildren("As of ", time(shownTime), every, next);
  let lookedAt = 0;
  repeat(1_000, () => {
    const now = Math.floor(serverTime());
    const left = shownTime + refreshTime - now;
    next.textContent = left > 0 ? `; next in ${whole(left)} s` : "; the next one is due";
    if (left > 0 || now - lookedAt < lookEvery) return;
    lookedAt = now;
    look(season?.name ?? "", onNewer).catch(() => {});
  });
}

/** Before the first snapshot. @param onFirst is called once it is there */
export function awaitFirst({ refreshTime }, onFirst) {
  place.textContent = `There is no ranking yet; it is computed every ${whole(refreshTime)} seconds.`;
  repeat(2_000, async () => {
    const config = await askPoints("config").catch(() => null);
    if ((config?.lastSnapTimestamp ?? 0) > 0) onFirst();
  });
}

/** Only one of them at a time. */
function repeat(everyMs, step) {
  clearInterval(timer);
  timer = setInterval(step, everyMs);
}

async function look(season, onNewer) {
  const newest = await newestSnapshot(season);
  if (newest !== null && newest !== pinnedSnapshot(season)) onNewer(newest);
}
