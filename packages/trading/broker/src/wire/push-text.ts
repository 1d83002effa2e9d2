/**
 * A push as a Socket.IO packet: an event in the default namespace with one argument, a JSON string. Protocol
 * revisions 4 (with EIO 3) and 5 (with EIO 4) encode it alike, so it is encoded once for all connections.
 */
export function pushText(event: string, content: object): string {
  return `2${JSON.stringify([event, JSON.stringify(content)])}`;
}
