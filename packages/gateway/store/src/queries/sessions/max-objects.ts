/** Of what upstreams keep for a session: as many as it has in memory. */
export const maxObjects = 4096;
