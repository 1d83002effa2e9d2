import { writeJson } from "../json/exact-json.ts";
import type { JsonObject } from "../json/json-object.ts";

/** An event whose type is only in its data. */
export const dataEvent = (data: JsonObject): string => `data: ${writeJson(data)}\n\n`;

/** An event whose type is in its data and in its `event` field. */
export const typedEvent = (type: string, members: JsonObject): string =>
  `event: ${type}\ndata: ${writeJson({ type, ...members })}\n\n`;
