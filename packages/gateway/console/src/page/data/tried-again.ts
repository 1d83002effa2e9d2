/** A browser fails requests while a machine's networks change, as they do when a container starts. */
const pausesMs = [100, 400, 1_500];

/** What `load` resolves to, tried again after a failure. @throws the last failure, or the first after the signal aborts */
export async function triedAgain<Loaded>(
  load: () => Promise<Loaded>,
  signal?: AbortSignal,
): Promise<Loaded> {
  for (const pauseMs of pausesMs) {
    try {
      return await load();
    } catch (error) {
      if (signal?.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
  return load();
}
