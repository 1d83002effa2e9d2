import { parseMemberPath } from "@proj/gateway-protocol";
import { type Option, type Refuse, repeatedAs } from "@proj/program";

/** `--replay-ignore MEMBERS`: members that may differ when a request is compared with the record. */
export const replayIgnore: Option<readonly (readonly string[])[]> = repeatedAs(
  "MEMBERS",
  "members of a request that may differ from the record, such as metadata.user_id,input[*].id; repeatable",
  readMembers,
  { group: "What runs" },
);

function readMembers(text: string, refuse: Refuse): readonly string[] | undefined {
  const members = text.split(",").map((member) => member.trim());
  const wrong = members.find((member) => parseMemberPath(member) === null);
  if (wrong === undefined) return members;
  refuse(`must be members such as metadata.user_id or input[*].id, not '${wrong}'`);
  return undefined;
}
