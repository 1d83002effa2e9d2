import { askRanking } from "./ask.js";
import { rankings } from "./rankings.js";

/** Undefined: those that the program has. */
const { rankings: offered } = document.documentElement.dataset;

/** By ranking: its member of the total's records, and what of the program earns it. */
const kinds = {
  lp: { member: "lpPoints", earnedBy: "promotedPools" },
  swaps: { member: "swapPoints", earnedBy: "swapPairs" },
};

/**
 * The rankings to show, by name: without what the program does not have. What it had before counts if somebody has
 * earned it: a program that changes takes no points away.
 */
export async function shownRankings(config, season) {
  const isShown = async (ranking) => {
    if (offered !== undefined && !offered.split(" ").includes(ranking)) return false;
    if (config[kinds[ranking].earnedBy].length > 0) return true;
    return (await askRanking({ ranking, season }, null, { size: 0 })).totalItems > 0;
  };
  const hidden = [];
  for (const ranking of Object.keys(kinds)) if (!(await isShown(ranking))) hidden.push(ranking);
  const members = hidden.map((ranking) => kinds[ranking].member);
  return Object.fromEntries(
    Object.entries(rankings)
      .filter(([name]) => !hidden.includes(name))
      .map(([name, { label, record }]) => [
        name,
        { label, record: record.filter((member) => !members.includes(member.name)) },
      ]),
  );
}

/** Links to the rankings; a single one needs none. */
export function showTabs(place, shown, current) {
  place.hidden = Object.keys(shown).length < 2;
  for (const tab of place.querySelectorAll("a")) {
    const { ranking } = tab.dataset;
    tab.hidden = shown[ranking] === undefined;
    if (ranking === current) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
  }
}
