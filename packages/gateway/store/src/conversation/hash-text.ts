/** FNV-1a over UTF-16 units, in 32 bits; also in browsers. */
export function hashText(text: string, start: number = 0x811c_9dc5): number {
  let hash = start;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x0100_0193);
  return hash >>> 0;
}
