import { hearTime } from "./server-time.js";

/** Marks the whole page when the server is gone; `kit.css` then fades what may be out of date. */
export function markServer(isGone) {
  if (isGone) document.documentElement.dataset.server = "gone";
  else delete document.documentElement.dataset.server;
}

/** A browser fails requests while a machine's networks change. What is sent may have arrived, so only reads are tried again. */
async function fetchAgain(path, options) {
  const pausesMs = options?.method === undefined ? [100, 400, 1_500] : [];
  for (const pauseMs of pausesMs) {
    try {
      return await fetch(path, options);
    } catch (error) {
      if (options?.signal?.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
  return fetch(path, options);
}

/**
 * `fetch` with errors that people can read. With `cache: "no-cache"` it also hears the server's time.
 * @throws Error the server does not answer, or not in time
 */
export async function reach(path, options) {
  try {
    const response = await fetchAgain(path, options);
    markServer(false);
    if (options?.cache === "no-cache") hearTime(response);
    return response;
  } catch (error) {
    if (error.name === "AbortError") throw error;
    markServer(true);
    const isLate = error.name === "TimeoutError";
    throw new Error(isLate ? "The server takes too long." : "The server does not answer.", {
      cause: error,
    });
  }
}

/** Fetches JSON. A refusal is an error with the server's own words. */
export async function askJson(path, options) {
  const response = await reach(path, options);
  const body = await response.json().catch(() => null);
  if (response.ok) return body;
  throw new Error(body?.detail ?? `The server answered ${response.status}.`);
}
