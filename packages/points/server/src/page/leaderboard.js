import { askRanking } from "./ask.js";
import { scaled, whole } from "./format.js";
import { copyButton, shortened } from "./short-address.js";
import { linkTo } from "./view.js";

export const pageSize = 25;

/** More digits are not readable in a table; the address's own page shows all of them. */
const shownDigits = 2;

/** The value of a record's member, by the kind of the member. */
const shownAs = {
  points: (value, decimals) => scaled(value, decimals, shownDigits),
  count: (value) => whole(value),
  text: (value = "") => value,
};
const common = [
  { name: "rank", kind: "count", label: "Rank" },
  { name: "address", kind: "text", label: "Address" },
  { name: "points", kind: "points", label: "Points" },
  { name: "last24hPoints", kind: "points", label: "Last 24 hours" },
];

/** Fills the table with a page of a ranking; the record of the searched address is highlighted and always included. */
export async function showLeaderboard(asked, { record: members }, decimals, isCurrent) {
  const { ranking, season, address, offset } = asked;
  const page = await askRanking(asked, null, { offset, size: pageSize });
  const own = address === "" ? null : await ownRecord(asked);
  if (!isCurrent()) return null;
  const isHere = page.leaderboard.some((record) => record.address === own?.address);
  const records = own === null || isHere ? page.leaderboard : [own, ...page.leaderboard];
  const seen = `${season} ${ranking}`;
  seeRanks(seen, records);
  const shown = [...common, ...members];
  const heading = document.createElement("tr");
  for (const member of shown) heading.append(cell("th", member, member.label));
  const texts = shown.map(({ name, kind }) =>
    aligned(records.map((record) => shownAs[kind](record[name], decimals))),
  );
  const rows = records.map((record, index) => {
    const row = document.createElement("tr");
    row.classList.toggle("searched", record.address === own?.address);
    row.classList.toggle("pinned", record === own);
    for (const [column, member] of shown.entries())
      row.append(cell("td", member, texts[column][index]));
    addChange(row.children[0], risenBy(seen, record));
    addAddress(row.children[1], record.address);
    return row;
  });
  document.querySelector("#leaderboard thead").replaceChildren(heading);
  document.querySelector("#leaderboard tbody").replaceChildren(...rows);
  showPaging(offset, page);
  return page;
}

/** Null: the address is not in the ranking, or not valid. */
async function ownRecord(asked) {
  const answer = await askRanking(asked, asked.address, { size: 0 }).catch(() => ({ user: null }));
  return answer.user;
}

function addAddress(place, address) {
  const link = document.createElement("a");
  link.href = linkTo({ address });
  link.className = "address";
  link.dataset.reveals = "#address";
  link.textContent = shortened(address);
  link.title = address;
  place.replaceChildren(link);
  if (link.textContent !== address) place.append(copyButton(address));
}

function addChange(place, risen) {
  if (risen === 0) return;
  const change = document.createElement("span");
  change.className = risen > 0 ? "risen" : "fallen";
  change.textContent = risen > 0 ? ` ▲${risen}` : ` ▼${-risen}`;
  change.title = "since this page was opened";
  place.append(change);
}

/** Pads all numbers to the longest fraction, so that they line up. */
function aligned(texts) {
  const fraction = (text) => /[^\d\s](\d+)$/.exec(text)?.[1] ?? "";
  const point = (1.5).toLocaleString()[1];
  const isFraction = (text) => text.includes(point);
  if (!texts.some(isFraction)) return texts;
  const digits = Math.max(...texts.map((text) => (isFraction(text) ? fraction(text).length : 0)));
  return texts.map((text) => {
    if (!/^[\d\s.,’'\u00a0\u202f]+$/u.test(text)) return text;
    const own = isFraction(text) ? fraction(text).length : 0;
    return `${text}${own === 0 ? point : ""}${"0".repeat(digits - own)}`;
  });
}

function showPaging(offset, { leaderboard, totalItems }) {
  const end = offset + leaderboard.length;
  document.querySelector("#none").hidden = totalItems > 0;
  document.querySelector("#range").textContent =
    leaderboard.length === 0
      ? `${whole(totalItems)} in all`
      : `${whole(offset + 1)}–${whole(end)} of ${whole(totalItems)}`;
  // From beyond the end, "previous" leads to the last page.
  const before = Math.max(0, Math.min(offset, totalItems) - pageSize);
  turn("#previous", offset > 0 ? linkTo({ offset: before }) : null);
  turn("#next", end < totalItems && leaderboard.length > 0 ? linkTo({ offset: end }) : null);
}

/** Without href, a link can be neither clicked nor reached by keyboard. */
function turn(id, href) {
  const link = document.querySelector(id);
  if (href === null) link.removeAttribute("href");
  else link.href = href;
}

function cell(element, { kind, label }, text) {
  const made = document.createElement(element);
  made.textContent = text;
  // The label shown next to the number on a phone, where the table is a list.
  made.dataset.label = label;
  if (kind !== "text") made.className = "number";
  return made;
}

/** The rank of each address when it was first seen, by ranking and address. */
const firstRanks = new Map();
/** A limit, because the page may be open for weeks. */
const maxAddresses = 10_000;

/** Remembers the ranks of a page; an address that was seen before keeps its first rank. */
function seeRanks(ranking, records) {
  if (firstRanks.size > maxAddresses) firstRanks.clear();
  for (const { address, rank } of records) {
    const key = `${ranking} ${address}`;
    if (!firstRanks.has(key)) firstRanks.set(key, rank);
  }
}

/** How many ranks an address has risen since it was first seen; 0: none. */
function risenBy(ranking, { address, rank }) {
  return (firstRanks.get(`${ranking} ${address}`) ?? rank) - rank;
}
