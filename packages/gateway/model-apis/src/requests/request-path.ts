const placeholder = "{model}";

/** What a path says of a request; the bodies of such APIs do not say it. */
export interface ToldByPath {
  readonly model: string;
  readonly stream: boolean;
}

/** Of an endpoint. */
interface Paths {
  readonly path: string;
  readonly streamPath: string;
}

/** Whether the path names the model. */
export const namesModel = ({ path }: Paths): boolean => path.includes(placeholder);

/** Path and query of a request to an upstream, below its base URL. */
export function requestPath(paths: Paths, { model, stream }: ToldByPath): string {
  const { path, streamPath } = paths;
  if (!namesModel(paths)) return path;
  const escaped = model.split("/").map(encodeURIComponent).join("/");
  return (stream ? streamPath : path).replace(placeholder, () => escaped);
}

/** What a path without its query says, if it is one of the endpoint's; null: it is not. */
export function readPath({ path, streamPath }: Paths, pathname: string): ToldByPath | null {
  const streamed = modelIn(withoutQuery(streamPath), pathname);
  if (streamed !== null) return { model: streamed, stream: true };
  const model = modelIn(path, pathname);
  return model === null ? null : { model, stream: false };
}

/** The query that a request for a stream must have; empty if none. */
export const streamQuery = ({ streamPath }: Paths): string =>
  streamPath.slice(withoutQuery(streamPath).length + 1);

const withoutQuery = (path: string): string => path.split("?", 1)[0] ?? "";

function modelIn(template: string, pathname: string): string | null {
  const [before = "", after = ""] = template.split(placeholder);
  if (!pathname.startsWith(before) || !pathname.endsWith(after)) return null;
  const escaped = pathname.slice(before.length, pathname.length - after.length);
  try {
    return escaped === "" ? null : decodeURIComponent(escaped);
  } catch {
    return null;
  }
}
