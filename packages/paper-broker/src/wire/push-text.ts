/**
 * A push as a Socket.IO packet: an event of the default namespace whose one argument is a JSON
 * string. Protocol revisions 4 (with EIO 3) and 5 (with EIO 4) write it alike, so it is made once
 * for all connections.
 */
export function pushText(event: string, content: object): string {
  return `2${JSON.stringify([event, JSON.stringify(content)])}`;
}
