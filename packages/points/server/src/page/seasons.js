import { serverTime } from "./server-time.js";

/**
 * Offers the rankings of the seasons that have begun, next to the all-time ranking.
 * @param onChange gets the name of the chosen season; empty: all time
 */
export function offerSeasons(place, seasons, shown, onChange) {
  const now = serverTime();
  const begun = seasons.filter(({ startTimestamp }) => Number(startTimestamp) <= now);
  const options = [["", "All time"], ...begun.map(({ name }) => [name, name])];
  const select = place.querySelector("select");
  select.replaceChildren(...options.map(([value, text]) => new Option(text, value)));
  select.value = shown;
  select.onchange = () => onChange(select.value);
  place.hidden = begun.length === 0;
}
