import { BodyMemory } from "../call/body-memory.ts";
import type { Call } from "../call/call.ts";
import type { Stage } from "../call/stage.ts";

/** Sends the whole request in place of the one that names its history. */
export function sendWhole<C extends Call>(): Stage<C> {
  return (next) => (call) => {
    const { served } = call;
    if (served === null) return next(call);
    if (call.reference?.id === null) call.sent.stripped = call.reference.by;
    const sent: C = Object.assign(Object.create(null), call, {
      body: served,
      memory: new BodyMemory(served.bytes),
    });
    // What an engine says belongs to the call itself.
    Object.defineProperty(sent, "engine", {
      get: () => call.engine,
      set: (engine: C["engine"]) => {
        call.engine = engine;
      },
      enumerable: true,
    });
    return next(sent);
  };
}
