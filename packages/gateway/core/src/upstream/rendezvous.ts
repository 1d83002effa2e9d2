/**
 * Rendezvous hashing: each key has its own order of the candidates, so that when one leaves, only its own
 * keys move, and nothing needs to be remembered. No defence against chosen keys.
 */

/** FNV-1a over UTF-16 units; equal in every process. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/** A key belongs to the candidate with the highest score. FNV mixes poorly, MurmurHash3's finalizer well. */
export function rendezvousScore(keyHash: number, candidateHash: number): number {
  let score = keyHash ^ candidateHash;
  score = Math.imul(score ^ (score >>> 16), 0x85ebca6b);
  score = Math.imul(score ^ (score >>> 13), 0xc2b2ae35);
  return (score ^ (score >>> 16)) >>> 0;
}
