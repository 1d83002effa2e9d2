import { askPoints } from "./ask.js";
import { scaled, time } from "./format.js";
import { copyButton, shortened } from "./short-address.js";

/**
 * The newest price of each token, with all digits that were published. Without prices, place and link are hidden.
 * @param link leads to the place
 */
export async function showPrices(place, link) {
  const feeds = Object.entries(await askPoints("swap/price-feeds"));
  feeds.sort(([a], [b]) => (a < b ? -1 : 1));
  const rows = feeds.map(([token, { price, priceDecimals, pricePublishTime }]) => {
    const row = document.createElement("tr");
    const name = document.createElement("span");
    name.className = "address";
    name.textContent = shortened(token);
    name.title = token;
    const copy = name.textContent === token ? [] : [copyButton(token)];
    const cells = [
      [name, ...copy],
      [scaled(price, priceDecimals, priceDecimals)],
      [time(pricePublishTime)],
    ];
    for (const content of cells) {
      const cell = document.createElement("td");
      cell.append(...content);
      row.append(cell);
    }
    row.children[1].className = "number";
    return row;
  });
  place.querySelector("tbody").replaceChildren(...rows);
  place.querySelector(".count").textContent = rows.length;
  place.hidden = link.hidden = rows.length === 0;
}
