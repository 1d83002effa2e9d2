import { setTimeout as delay } from "node:timers/promises";
import { chatCompletion, chatStream, type RecordedRequest, waitFor } from "@proj/test-kit";
import { expect, test } from "vitest";
import { onlyStep } from "../telemetry/bound-calls.ts";
import { atRest } from "./at-rest.ts";
import { useGatewayPair } from "./gateway-pair.ts";
import { expectNoWarnings } from "./no-warnings.ts";

// A caller that reads nothing stops its upstream, but only for a limited time.

expectNoWarnings();
const patient = useGatewayPair();
const impatient = useGatewayPair({ timeouts: { caller_stall_s: 0.3 } });

const [opening = "", ...closing] = chatStream(chatCompletion());
const megabyte = 1024 * 1024;
const piece = Buffer.from(`: ${"x".repeat(64 * 1024)}\n\n`);
/** More than all sockets on the way hold; without back-pressure it would be reached at once. */
const tooMuch = 64 * megabyte;

/** An upstream that writes as long as somebody reads. */
class Flood {
  written = 0;
  #pendingSince = 0;
  #stopped = false;
  readonly over: Promise<void>;

  constructor(reply: RecordedRequest["reply"]) {
    this.over = this.#run(reply);
  }

  /** A write has been waiting longer than any write in progress would take. */
  get isHalted(): boolean {
    return this.#pendingSince > 0 && performance.now() - this.#pendingSince > 300;
  }

  stop(): Promise<void> {
    this.#stopped = true;
    return this.over;
  }

  async #run(reply: RecordedRequest["reply"]): Promise<void> {
    let open = await reply.write(opening);
    while (open && !this.#stopped && this.written < tooMuch) {
      this.#pendingSince = performance.now();
      open = await reply.write(piece);
      this.#pendingSince = 0;
      this.written += piece.length;
      await delay(0);
    }
  }
}

test.for([true, false])(
  "a caller that stops reading stops the upstream, and gets everything once it continues (bound: %s)",
  async (isBound) => {
    await using call = await (isBound
      ? patient.call("chat/completions")
      : patient.callUnbound("chat/completions"));
    call.caller.connection.pause();
    await call.reply.startEvents();
    const flood = new Flood(call.reply);
    await waitFor(() => flood.isHalted, "the upstream to be halted");
    expect(flood.written).toBeLessThan(tooMuch);
    const writtenBefore = flood.written;

    call.caller.connection.resume();
    await waitFor(() => flood.written > writtenBefore + megabyte, "the upstream to continue");
    await flood.stop();
    await call.reply.write(Buffer.concat(closing));
    await call.reply.end();
    const { body, whole } = await call.caller.untilClosed();
    expect(whole).toBe(true);
    expect(body.length).toBe(
      Buffer.byteLength(opening) + flood.written + Buffer.concat(closing).length,
    );
    if (isBound)
      expect(await onlyStep(patient.gateway, call.session_id)).toMatchObject({ status_code: 200 });
  },
);

test("a caller that leaves while it reads nothing cancels the upstream", async () => {
  await using call = await patient.call("chat/completions");
  call.caller.connection.pause();
  await call.reply.startEvents();
  const flood = new Flood(call.reply);
  await waitFor(() => flood.isHalted, "the upstream to be halted");
  call.caller.connection.reset();
  await call.request.closed();
  await flood.over;
  await atRest(patient.gateway, call.session_id);
  expect(await onlyStep(patient.gateway, call.session_id)).toMatchObject({ status_code: 499 });
});

test("a caller that reads nothing for caller_stall_s is given up, and its upstream cancelled", async () => {
  await using call = await impatient.call("chat/completions");
  call.caller.connection.pause();
  await call.reply.startEvents();
  const flood = new Flood(call.reply);
  await call.request.closed();
  await flood.over;
  await atRest(impatient.gateway, call.session_id);
  expect(await onlyStep(impatient.gateway, call.session_id)).toMatchObject({
    status_code: 499,
    meta: { outcome: "caller_gone", error: "the caller took nothing for 300 ms" },
  });
});
