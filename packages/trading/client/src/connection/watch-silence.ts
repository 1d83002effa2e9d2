/** The part of engine.io-client 3 that receives and sends a connection's packets. */
export interface Engine {
  on(event: "packet", listener: () => void): unknown;
  ping(): void;
}

/** A server is asked for a sign of life after each of these parts of the quiet time without one. */
const parts = 4;

/**
 * Asks a silent server for a sign of life, and notices when there is none. The parts of the quiet time are counted, not
 * measured: a process that was held up has not read what has arrived meanwhile.
 * @param quietMs milliseconds without any packet; 0: it is not watched
 * @param onAlive called when a silent server has answered
 * @returns ends the watch
 */
export function watchSilence(
  engine: Engine,
  quietMs: number,
  { onAlive, onSilent }: { readonly onAlive: () => void; readonly onSilent: () => void },
): () => void {
  if (quietMs === 0) return () => undefined;
  let silent = 0;
  let isHeard = false;
  engine.on("packet", () => {
    isHeard = true;
    if (silent > 0) onAlive();
    silent = 0;
  });
  const timer = setInterval(() => {
    if (!isHeard) silent += 1;
    isHeard = false;
    if (silent === parts) return void onSilent();
    if (silent > 0) engine.ping();
  }, quietMs / parts);
  return () => clearInterval(timer);
}
