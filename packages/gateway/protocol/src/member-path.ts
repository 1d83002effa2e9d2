/** Names of members, positions in lists, and `*` for every position of a list. */
export type MemberPath = readonly (string | number)[];

/** Matches every position of a list. A member with this name cannot be addressed. */
export const everyPosition = "*";

export const maxMemberPath = 256;

const pathForm = /^[^.[\]*]+(?:\.[^.[\]*]+|\[(?:\d{1,9}|\*)\])*$/;
const part = /([^.[\]*]+)|\[(\d+)\]|\[\*\]/g;

/**
 * Parses `metadata.user_id`, `messages[0].content` or `input[*].id`; null if it is not a path. A member whose
 * name contains a dot or a bracket cannot be addressed.
 */
export function parseMemberPath(text: string): MemberPath | null {
  if (text.length > maxMemberPath || !pathForm.test(text)) return null;
  return [...text.matchAll(part)].map(([, name, position]) =>
    name !== undefined ? name : position !== undefined ? Number(position) : everyPosition,
  );
}
