const form = /^\d{14}(?:\d{3})?$/;

/**
 * A time as 17 digits: `MMddyyyyHHmmss` and milliseconds, in UTC.
 * @param milliseconds since the epoch, in the years 0 to 9999
 */
export function formatWireTime(milliseconds: number): string {
  // yyyy-MM-ddTHH:mm:ss.SSSZ
  const iso = new Date(milliseconds).toISOString();
  return `${dateOf(iso)}${iso.slice(11, 13)}${iso.slice(14, 16)}${iso.slice(17, 19)}${iso.slice(20, 23)}`;
}

/** The day in UTC as 8 digits: `MMddyyyy`. */
export function formatWireDate(milliseconds: number): string {
  return dateOf(new Date(milliseconds).toISOString());
}

function dateOf(iso: string): string {
  return `${iso.slice(5, 7)}${iso.slice(8, 10)}${iso.slice(0, 4)}`;
}

/**
 * Parses a time of 17 digits, or of 14 (without milliseconds) from older servers, to milliseconds
 * since the epoch.
 * @throws TypeError the text is not such a time
 */
export function parseWireTime(text: string): number {
  const milliseconds = form.test(text) ? timeOf(text) : Number.NaN;
  if (!Number.isNaN(milliseconds)) return milliseconds;
  throw new TypeError(
    `${JSON.stringify(text)} is not a time: expected 17 digits, MMddyyyyHHmmss and milliseconds`,
  );
}

/** @param digits 14 or 17; NaN: there is no such time */
function timeOf(digits: string): number {
  const month = Number(digits.slice(0, 2));
  const day = Number(digits.slice(2, 4));
  const hour = Number(digits.slice(8, 10));
  const minute = Number(digits.slice(10, 12));
  const second = Number(digits.slice(12, 14));
  if (hour > 23 || minute > 59 || second > 59) return Number.NaN;
  const date = new Date(0);
  // Date.UTC would read the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(Number(digits.slice(4, 8)), month - 1, day);
  // By now a 31st of February has become a day in March, and a 13th month January.
  if (date.getUTCDate() !== day || date.getUTCMonth() !== month - 1) return Number.NaN;
  return date.setUTCHours(hour, minute, second, Number(digits.slice(14)));
}
