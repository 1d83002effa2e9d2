export type { ArenaEvent } from "./arena-event.ts";
export { type Arena, type ArenaOptions, type ArenaResult, openArena } from "./open-arena.ts";
export type { Standing } from "./scoring/standing.ts";
export type { ArenaModel } from "./services/open-gateway.ts";
