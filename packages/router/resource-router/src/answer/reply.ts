import { encodeId } from "../path/segment.ts";
import type { HeaderFields } from "./header-fields.ts";

interface ReplyTraits {
  /** The path segment of the item that `Location` names. @default no `Location` */
  readonly locationSegment?: string;
  /** Whether the head of a stream is sent before its first chunk. @default false */
  readonly headFirst?: boolean;
}

/** An answer with its own status and headers. */
export class Reply<Body = unknown> {
  readonly status: number;
  /** A stream, bytes, or a value that is sent as JSON; undefined: no body. */
  readonly body: Body;
  readonly headers: HeaderFields;
  readonly locationSegment: string | null;
  readonly headFirst: boolean;

  constructor(status: number, body: Body, headers: HeaderFields = {}, traits: ReplyTraits = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
    this.locationSegment = traits.locationSegment ?? null;
    this.headFirst = traits.headFirst ?? false;
  }
}

export function reply(status: number): Reply<undefined>;
/** @param body a string is sent as JSON, unless a `content-type` other than JSON is given */
export function reply<Body>(status: number, body: Body, headers?: HeaderFields): Reply<Body>;
export function reply(status: number, body?: unknown, headers?: HeaderFields): Reply {
  return new Reply(status, body, headers);
}

/**
 * 201 with `Location`, the path of the item with this id.
 * @throws TypeError the id cannot be in a path: it is empty, `.` or `..`
 */
export function created(id: string): Reply<undefined>;
export function created<Body>(id: string, value: Body): Reply<Body>;
export function created(id: string, value?: unknown): Reply {
  return new Reply(201, value, {}, { locationSegment: encodeId(id) });
}

/** 200 with the updated value, or 204 without one. */
export function updated(): Reply<undefined>;
export function updated<Body>(value: Body): Reply<Body>;
export function updated(value?: unknown): Reply {
  return new Reply(value === undefined ? 204 : 200, value);
}

export function noContent(): Reply<undefined> {
  return new Reply(204, undefined);
}
