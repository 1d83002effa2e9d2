import { isDeepStrictEqual } from "node:util";
import { type ForkBody, isSessionId, parseMemberPath } from "@proj/gateway-protocol";
import type { BrowsableStore, ForkMode, ForkOrigin, SessionFork } from "@proj/session-store";
import { GatewayError } from "../errors/gateway-error.ts";
import { resolveFork } from "../replay/resolve-fork.ts";
import { readStorage } from "../session/read-storage.ts";
import type { Session } from "../session/session.ts";
import { sendJson } from "./control-answer.ts";
import type { ControlDependencies } from "./control-dependencies.ts";
import { readJsonObject } from "./json-body.ts";
import type { SessionEndpoint } from "./session-endpoint.ts";

/** `POST {session}/fork`: the session continues from another session's record. */
export function forkEndpoint(dependencies: ControlDependencies): SessionEndpoint {
  const { registry, store } = dependencies;
  return {
    method: "POST",
    // The holder of a session key could otherwise read any session.
    opensToSessionKey: false,
    serve: async (session_id, req, res) => {
      const asked = forkRequest(await readJsonObject(req, res, dependencies));
      if (asked.from_session_id === session_id)
        throw invalid("A session cannot be forked from itself.", "from");
      const { origin, steps } = await resolveFork(store, asked);
      const fork: SessionFork = { session_id, ...origin };
      const session = await registry.open(session_id);
      session.checkOpen();
      if (!isSame(session.fork, fork)) await begin(session, fork, store);
      const { from_session_id: from, ...rest } = origin;
      const body: ForkBody = { session_id, from, ...rest, recorded_steps: steps };
      sendJson(res, body);
    },
  };
}

/** @throws GatewayError session_not_new */
async function begin(session: Session, fork: SessionFork, store: BrowsableStore): Promise<void> {
  const { session_id } = session;
  if (session.fork !== null) throw notNew(session.fork);
  if (session.models.size > 0 || session.inFlight > 0)
    throw new GatewayError(
      "session_not_new",
      `Session '${session_id}' already has requests of its own. Fork into a new session.`,
    );
  const stored = await readStorage(store.forkSession(fork));
  session.fork ??= stored;
  if (!isSame(stored, fork)) throw notNew(stored);
}

const isSame = (one: SessionFork | null, other: SessionFork): boolean =>
  one !== null &&
  one.from_session_id === other.from_session_id &&
  one.model === other.model &&
  one.step === other.step &&
  one.mode === other.mode &&
  isDeepStrictEqual(one.ignore, other.ignore);

function notNew({ session_id, from_session_id, step }: SessionFork): GatewayError {
  const where = step === null ? "" : ` at step ${step}`;
  return new GatewayError(
    "session_not_new",
    `Session '${session_id}' is already a fork of session '${from_session_id}'${where}. Fork into a new session.`,
  );
}

/** @throws GatewayError invalid_request */
function forkRequest(body: Readonly<Record<string, unknown>>): ForkOrigin {
  const { from, step = null, model = null, mode = "fork", ignore = [] } = body;
  if (typeof from !== "string" || !isSessionId(from))
    throw invalid("'from' must be the id of a session.", "from");
  if (step !== null && !(Number.isSafeInteger(step) && Number(step) >= 1))
    throw invalid("'step' must be the number of a step, 1 or larger.", "step");
  if (model !== null && typeof model !== "string")
    throw invalid("'model' must be a route key.", "model");
  if (!isMode(mode)) throw invalid("'mode' must be 'fork' or 'replay'.", "mode");
  if (!isIgnore(ignore))
    throw invalid(
      `'ignore' must be a list of at most ${maxIgnored} members, such as "metadata.user_id" or "input[*].id".`,
      "ignore",
    );
  return { from_session_id: from, step: step === null ? null : Number(step), model, mode, ignore };
}

const maxIgnored = 64;

const isIgnore = (ignore: unknown): ignore is readonly string[] =>
  Array.isArray(ignore) &&
  ignore.length <= maxIgnored &&
  ignore.every((member) => typeof member === "string" && parseMemberPath(member) !== null);

const isMode = (mode: unknown): mode is ForkMode => mode === "fork" || mode === "replay";

const invalid = (message: string, param: string): GatewayError =>
  new GatewayError("invalid_request", message, { param });
