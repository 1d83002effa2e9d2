const forms = [
  // ISO 8601, also with a space or dots: 2026-01-12T10:00:00.123Z, 2026.01.12 10:00
  /^(?<year>\d{4})[-.](?<month>\d\d)[-.](?<day>\d\d)(?:[ T](?<clock>\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?(?<zone>Z|[+-]\d\d:?\d\d)?$/,
  // Dukascopy: 12.01.2026 10:00:00.123, or in local time: … GMT+0100
  /^(?<day>\d\d)\.(?<month>\d\d)\.(?<year>\d{4}) (?<clock>\d\d:\d\d:\d\d(?:\.\d+)?)(?: GMT(?<zone>[+-]\d{4}))?$/,
  // The provider: 01/12/2026 10:00:00.123, the month first
  /^(?<month>\d\d)\/(?<day>\d\d)\/(?<year>\d{4})(?: (?<clock>\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?$/,
  // HistData: 20260112 100000, 20260112 100000123
  /^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d) (?<hour>\d\d)(?<minute>\d\d)(?<second>\d\d)(?<fraction>\d{3})?$/,
];

/**
 * Parses a time in a price file: one of these formats, or seconds or milliseconds since the epoch.
 * @param zone for times without one
 * @returns milliseconds since the epoch; NaN: not a time
 */
export function parseCsvTime(text: string, zone: string): number {
  if (/^\d{9,11}(\.\d+)?$/.test(text)) return Math.round(Number(text) * 1000);
  if (/^\d{12,14}$/.test(text)) return Number(text);
  for (const form of forms) {
    const found = form.exec(text)?.groups;
    if (found === undefined) continue;
    const { year, month, day, hour, minute, second, fraction = "000" } = found;
    const clock = hour === undefined ? (found.clock ?? "00:00") : undefined;
    const time = clock ?? `${hour}:${minute}:${second}.${fraction}`;
    return Date.parse(`${year}-${month}-${day}T${time}${withColon(found.zone ?? zone)}`);
  }
  return Number.NaN;
}

const withColon = (zone: string): string => zone.replace(/^([+-]\d\d)(\d\d)$/, "$1:$2");
