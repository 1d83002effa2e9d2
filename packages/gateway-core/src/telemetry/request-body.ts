/** A request's body with what routing read of it. Offsets are in bytes; an end is exclusive. */
export interface RequestBody {
  readonly bytes: Buffer;
  readonly model: string;
  readonly stream: boolean;
  /** Where the value of `model` stands, quotes included. */
  readonly model_start: number;
  readonly model_end: number;
  /** Where the value of `messages` (chat) or `input` (responses) stands; both 0 where there is none. */
  readonly messages_start: number;
  readonly messages_end: number;
  /** A key whose string value redaction may have to replace occurs somewhere. */
  readonly sensitive: boolean;
}
