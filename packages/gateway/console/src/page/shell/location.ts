import { useLayoutEffect, useState } from "preact/hooks";

/** A place in the console. It is in the URL's fragment, so that a single file can hold every place. */
export interface Place {
  readonly view: string;
  /** Which session or job is shown; null: the view shows none in particular. */
  readonly id: string | null;
  readonly query: URLSearchParams;
}

/** What a view gets of its place. */
export type ViewProps = Pick<Place, "query">;

export function placeOf(hash: string): Place {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [view = "", id] = path.split("/");
  return {
    view: view === "" ? "sessions" : view,
    id: id === undefined || id === "" ? null : decoded(id),
    query: new URLSearchParams(query),
  };
}

export function hrefOf(
  view: string,
  id?: string | null,
  query: Readonly<Record<string, string>> = {},
): string {
  const parameters = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ""));
  const path = id === undefined || id === null ? view : `${view}/${encodeURIComponent(id)}`;
  return `#/${path}${parameters.size === 0 ? "" : `?${parameters}`}`;
}

/** The current place with some parameters changed; empty: without them. */
export function hrefWith(changed: Readonly<Record<string, string>>): string {
  const { view, id, query } = placeOf(location.hash);
  return hrefOf(view, id, { ...Object.fromEntries(query), ...changed });
}

export function usePlace(): Place {
  const [place, setPlace] = useState(() => placeOf(location.hash));
  // Before anything else can run: an effect would wait for a frame, and miss a move until then.
  useLayoutEffect(() => {
    const moved = (): void => setPlace(placeOf(location.hash));
    addEventListener("hashchange", moved);
    return () => removeEventListener("hashchange", moved);
  }, []);
  return place;
}

/** Goes to a place without adding to the browser's history: a filter changes with every letter. */
export function replacePlace(href: string): void {
  history.replaceState(null, "", href);
  dispatchEvent(new HashChangeEvent("hashchange"));
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
