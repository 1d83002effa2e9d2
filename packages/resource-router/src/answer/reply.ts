import { encodeId } from "../routing/segment.ts";
import type { HeaderFields } from "./header-fields.ts";

/** An answer with a status and headers of its own. */
export class Reply {
  readonly status: number;
  /** A stream, bytes, or a value that is sent as JSON; undefined: no body. */
  readonly body: unknown;
  readonly headers: HeaderFields;
  /** The item that `Location` names, as the segment of its path; null: no such header. */
  readonly locationSegment: string | null;

  constructor(
    status: number,
    body?: unknown,
    headers: HeaderFields = {},
    locationSegment: string | null = null,
  ) {
    this.status = status;
    this.body = body;
    this.headers = headers;
    this.locationSegment = locationSegment;
  }
}

export function reply(status: number, body?: unknown, headers?: HeaderFields): Reply {
  return new Reply(status, body, headers);
}

/**
 * 201 with `Location`, the path of the item with this id.
 * @throws TypeError where no path can hold the id: it is empty, `.` or `..`
 */
export function created(id: string, value?: unknown): Reply {
  return new Reply(201, value, {}, encodeId(id));
}

/** 200 with the value as it is now, or 204. */
export function updated(value?: unknown): Reply {
  return new Reply(value === undefined ? 204 : 200, value);
}

export function noContent(): Reply {
  return new Reply(204);
}
