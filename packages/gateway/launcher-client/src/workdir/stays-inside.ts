import { isAbsolute, normalize } from "node:path";

/** Whether a relative path names something in the folder that it is relative to. */
export const staysInside = (path: string): boolean =>
  path !== "" && !isAbsolute(path) && !/^\.\.(?:[\\/]|$)/.test(normalize(path));
