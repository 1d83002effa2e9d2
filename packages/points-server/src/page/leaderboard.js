import { askRanking } from "./ask.js";
import { scaled, whole } from "./numbers.js";

export const pageSize = 25;

const points = (name) => (record, decimals) => scaled(record[name], decimals);
const count = (name) => (record) => whole(record[name]);
const domain = ({ domain: name = "" }) => name;

const columns = {
  total: [
    ["Liquidity", points("lpPoints")],
    ["Swaps", points("swapPoints")],
  ],
  lp: [["Open positions", count("positions")]],
  swaps: [
    ["Swaps", count("swaps")],
    ["Domain", domain],
  ],
};

/** Fills the table with a page of a ranking, in which the address is marked. */
export async function showLeaderboard(
  { ranking, address, offset },
  decimals,
  { linkTo, isCurrent },
) {
  const page = await askRanking(ranking, null, { offset, size: pageSize });
  if (!isCurrent()) return;
  const shown = [
    ["Rank", count("rank")],
    ["Address", (record) => record.address],
    ["Points", points("points")],
    ["Last 24 hours", points("last24hPoints")],
    ...columns[ranking],
  ];
  const heading = document.createElement("tr");
  for (const [name] of shown) heading.append(cell("th", name, name));
  const rows = page.leaderboard.map((record) => {
    const row = document.createElement("tr");
    row.classList.toggle("searched", record.address === address);
    for (const [name, value] of shown) row.append(cell("td", name, value(record, decimals)));
    const link = document.createElement("a");
    link.href = linkTo({ address: record.address });
    link.textContent = record.address;
    row.children[1].replaceChildren(link);
    return row;
  });
  document.querySelector("#leaderboard thead").replaceChildren(heading);
  document.querySelector("#leaderboard tbody").replaceChildren(...rows);
  showPaging(offset, page, linkTo);
}

function showPaging(offset, { leaderboard, totalItems }, linkTo) {
  const end = offset + leaderboard.length;
  document.querySelector("#none").hidden = totalItems > 0;
  document.querySelector("#range").textContent =
    leaderboard.length === 0
      ? `${whole(totalItems)} in all`
      : `${whole(offset + 1)}–${whole(end)} of ${whole(totalItems)}`;
  // From beyond the end, the page before is the last one.
  const before = Math.max(0, Math.min(offset, totalItems) - pageSize);
  turn("#previous", offset > 0 ? linkTo({ offset: before }) : null);
  turn("#next", end < totalItems && leaderboard.length > 0 ? linkTo({ offset: end }) : null);
}

/** A link without an address can be neither clicked nor reached by the keyboard. */
function turn(id, href) {
  const link = document.querySelector(id);
  if (href === null) link.removeAttribute("href");
  else link.href = href;
}

function cell(kind, name, text) {
  const made = document.createElement(kind);
  made.textContent = text;
  if (name !== "Address" && name !== "Domain") made.className = "number";
  return made;
}
