const grouped = new Intl.NumberFormat("en");

/** A whole number, however large, with its thousands apart. */
export const whole = (value) => grouped.format(BigInt(value));

/** A numeric string that is scaled by a power of ten, exactly but for what lies beyond `digits` of its fraction. */
export function scaled(text, decimals, digits = 6) {
  const padded = text.padStart(decimals + 1, "0");
  const cut = padded.length - decimals;
  const fraction = padded.slice(cut).slice(0, digits).replace(/0+$/, "");
  return whole(padded.slice(0, cut)) + (fraction === "" ? "" : `.${fraction}`);
}

/** Unix seconds, as readers of the page write time. */
export function time(seconds) {
  const shown = document.createElement("time");
  const date = new Date(seconds * 1000);
  shown.dateTime = date.toISOString();
  shown.textContent = date.toLocaleString("en", { dateStyle: "medium", timeStyle: "medium" });
  return shown;
}
