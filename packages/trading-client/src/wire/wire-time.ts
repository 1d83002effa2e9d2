const form = /^(\d{2})(\d{2})(\d{4})(\d{2})(\d{2})(\d{2})(\d{3})?$/;

/**
 * A time as 17 digits: `MMddyyyyHHmmss` and milliseconds, in UTC.
 * @param milliseconds since the epoch, in the years 0 to 9999
 */
export function formatWireTime(milliseconds: number): string {
  // yyyy-MM-ddTHH:mm:ss.SSSZ
  const iso = new Date(milliseconds).toISOString();
  return `${formatWireDate(milliseconds)}${iso.slice(11, 13)}${iso.slice(14, 16)}${iso.slice(17, 19)}${iso.slice(20, 23)}`;
}

/** The day in UTC as 8 digits: `MMddyyyy`. */
export function formatWireDate(milliseconds: number): string {
  const iso = new Date(milliseconds).toISOString();
  return `${iso.slice(5, 7)}${iso.slice(8, 10)}${iso.slice(0, 4)}`;
}

/**
 * Milliseconds since the epoch of a time of 17 digits, or of 14 (without milliseconds), which
 * older servers send.
 * @throws TypeError it is no such time
 */
export function parseWireTime(text: string): number {
  const parts = form.exec(text);
  if (parts !== null) {
    const [, month, day, year, hour, minute, second, fraction = "000"] = parts;
    const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction}Z`;
    const milliseconds = Date.parse(iso);
    // A 31st of February would be read as a day in March.
    if (!Number.isNaN(milliseconds) && new Date(milliseconds).toISOString() === iso) {
      return milliseconds;
    }
  }
  throw new TypeError(
    `${JSON.stringify(text)} is no time: expected 17 digits, MMddyyyyHHmmss and milliseconds`,
  );
}
