/** How far the server's clock is ahead of the reader's, in milliseconds; 0 until the server has answered. */
let ahead = 0;

/** @param response an answer that the browser did not take from its cache */
export function hearTime({ headers }) {
  const sent = Date.parse(headers.get("date"));
  // `Age` is the time that it spent in a shared cache.
  if (!Number.isNaN(sent)) ahead = sent + 1_000 * Number(headers.get("age")) - Date.now();
}

/** Unix seconds by the server's clock, even if the reader's is wrong. */
export const serverTime = () => (Date.now() + ahead) / 1_000;
