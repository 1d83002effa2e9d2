import { writeJson } from "../json/exact-json.ts";
import type { JsonObject } from "../json/json-object.ts";

/** An event whose type is told by its data alone. */
export const dataEvent = (data: JsonObject): string => `data: ${writeJson(data)}\n\n`;

/** An event whose type is in its data and beside it. */
export const typedEvent = (type: string, members: JsonObject): string =>
  `event: ${type}\ndata: ${writeJson({ type, ...members })}\n\n`;
