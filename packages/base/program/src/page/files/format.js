// Everything is in the reader's own locale and time zone.
const grouped = new Intl.NumberFormat();
const separator = new Intl.NumberFormat().formatToParts(1.5).find(({ type }) => type === "decimal");

/** A whole number of any size, with grouped digits. */
export const whole = (value) => grouped.format(BigInt(value));

/** A number with a fixed number of decimals. */
export const decimal = (value, digits) =>
  value.toLocaleString(undefined, { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** A numeric string divided by a power of ten; exact up to `digits` digits of its fraction. */
export function scaled(text, decimals, digits = 6) {
  const padded = text.padStart(decimals + 1, "0");
  const cut = padded.length - decimals;
  const fraction = padded
    .slice(cut)
    .slice(0, digits)
    .replace(/(?<!0)0+$/, "");
  const point = separator?.value ?? ".";
  return whole(padded.slice(0, cut)) + (fraction === "" ? "" : `${point}${fraction}`);
}

/** A `<time>` of Unix seconds, with its zone. */
export function time(seconds) {
  const shown = document.createElement("time");
  const date = new Date(seconds * 1000);
  shown.dateTime = date.toISOString();
  shown.textContent = date.toLocaleString(undefined, {
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "short",
  });
  return shown;
}
