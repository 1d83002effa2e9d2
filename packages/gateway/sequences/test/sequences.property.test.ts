import fc from "fast-check";
import { expect, it } from "vitest";
import { type Sequence, type Step, sequences } from "../src/index.ts";
import { referenceSequences } from "./reference.ts";
import { stepAt } from "./rollout.ts";

/** How a call is made from earlier calls. Few ids, so that tokens often coincide. */
const plan = fc.record({
  /** The earlier call that it continues; beyond the last one: none. */
  from: fc.nat(6),
  leaves_out: fc.nat(2),
  added: fc.array(fc.nat(2), { maxLength: 3 }),
  completion: fc.array(fc.nat(2), { maxLength: 3 }),
  repeats_prompt: fc.boolean(),
  names_it: fc.boolean(),
  says_it_retries: fc.boolean(),
  begins: fc.nat(12),
  lasts: fc.nat(3),
  status_code: fc.constantFrom(200, 200, 200, 200, 499),
  logprobs: fc.constantFrom("right", "right", "right", "none", "short"),
});

type Plan = typeof plan extends fc.Arbitrary<infer T> ? T : never;

const rollouts = fc
  .tuple(fc.array(plan, { minLength: 1, maxLength: 8 }), fc.boolean())
  .map(([plans, haveRows]) => {
    const steps: Step[] = [];
    for (const [index, each] of plans.entries()) steps.push(stepOf(each, index, steps));
    return haveRows ? withRows(steps) : steps;
  });

/** Rows in the order in which the answers ended, of calls that began in the order of their ids. */
function withRows(steps: readonly Step[]): Step[] {
  const durations = new Map(
    steps.map((step, index) => [step, step.ended_at - step.started_at + index]),
  );
  const ended = steps.toSorted((a, b) => (durations.get(a) ?? 0) - (durations.get(b) ?? 0));
  return steps.map((step, began) => ({ ...step, order: { began, ended: ended.indexOf(step) } }));
}

function stepOf(plan: Plan, index: number, steps: readonly Step[]): Step {
  const parent = steps[plan.from];
  const before = [...Array.from(parent?.prompt_ids ?? [])];
  const answered = Array.from(parent?.completion_ids ?? []);
  const kept = answered.slice(0, Math.max(0, answered.length - plan.leaves_out));
  const prompt = plan.repeats_prompt ? before : [...before, ...kept, ...plan.added];
  const logprobs = plan.completion.map((id) => -id);
  return stepAt(index, {
    id: `s${index}`,
    started_at: plan.begins,
    ended_at: plan.begins + plan.lasts,
    status_code: plan.status_code,
    prompt_ids: prompt,
    completion_ids: plan.completion,
    logprobs:
      plan.logprobs === "none" ? null : plan.logprobs === "short" ? logprobs.slice(1) : logprobs,
    response_id: `r${index}`,
    previous_response_id: plan.names_it ? (parent?.response_id ?? null) : null,
    retry_of: plan.says_it_retries ? (parent?.id ?? null) : null,
  });
}

const shown = ({ input_ids, loss_mask }: Sequence) => ({
  ids: [...input_ids],
  mask: [...loss_mask],
});

it("agrees with a reference that compares every pair of steps", () => {
  fc.assert(
    fc.property(rollouts, fc.nat(2), (steps, trim) => {
      const { sequences: found } = sequences(steps, { trim });
      expect(found.map(shown)).toEqual(referenceSequences(steps, trim));
    }),
    { numRuns: 2000 },
  );
});

it("does not depend on the order of the steps", () => {
  const shuffled = rollouts.chain((steps) =>
    fc.tuple(fc.constant(steps), fc.shuffledSubarray(steps, { minLength: steps.length })),
  );
  fc.assert(
    fc.property(shuffled, ([steps, others]) => {
      expect(sequences(others)).toEqual(sequences(steps));
    }),
  );
});

it("returns exactly the tokens of each line's last call, and trains on no completion twice", () => {
  fc.assert(
    fc.property(rollouts, (steps) => {
      const byId = new Map(steps.map((step) => [step.id, step]));
      const trained = new Map<string, number>();
      for (const { input_ids, loss_mask, logprobs, spans } of sequences(steps).sequences) {
        const last = byId.get(spans.at(-1)?.step ?? "");
        const whole = [
          ...Array.from(last?.prompt_ids ?? []),
          ...Array.from(last?.completion_ids ?? []),
        ];
        expect([...input_ids]).toEqual(whole);
        expect(spans.map(({ start }) => start)).toEqual([
          0,
          ...spans.slice(0, -1).map((span) => span.end),
        ]);
        expect(spans.at(-1)?.end).toBe(input_ids.length);
        for (const { kind, step, start, end } of spans) {
          expect(end).toBeGreaterThan(start);
          const masks = loss_mask.subarray(start, end);
          if (kind !== "completion") expect(masks).not.toContain(1);
          if (!masks.includes(1)) continue;
          trained.set(step, (trained.get(step) ?? 0) + 1);
          if (logprobs === null) continue;
          const given = Array.from(byId.get(step)?.logprobs ?? []).slice(0, end - start);
          expect([...logprobs.subarray(start, end)]).toEqual(given);
        }
      }
      for (const count of trained.values()) expect(count).toBe(1);
    }),
  );
});

it("accounts for every token the model produced", () => {
  fc.assert(
    fc.property(rollouts, (steps) => {
      const { sequences: found, ledger } = sequences(steps);
      const masks = found.reduce(
        (sum, { loss_mask }) => sum + loss_mask.reduce((a, b) => a + b, 0),
        0,
      );
      expect(ledger.delivered).toBe(masks);
      const begun = Object.values(ledger.breaks_by_reason).reduce((sum, count) => sum + count, 0);
      expect(begun).toBe(found.length);
      expect(ledger.captured).toBe(ledger.delivered + ledger.masked + ledger.dropped);
      expect(ledger.captured).toBe(
        steps.reduce((sum, { completion_ids }) => sum + (completion_ids?.length ?? 0), 0),
      );
      for (const { captured, delivered, masked, dropped, reason } of ledger.steps) {
        expect(captured).toBe(delivered + masked + dropped);
        if (captured > delivered) expect(reason).not.toBeNull();
      }
    }),
  );
});

it("keeps the tokens of every other line when a step is missing", () => {
  fc.assert(
    fc.property(rollouts, fc.nat(7), (steps, missing) => {
      const tokensByEnd = (of: readonly Step[]) =>
        new Map(
          sequences(of).sequences.map(({ input_ids, spans }) => [
            spans.at(-1)?.step,
            [...input_ids],
          ]),
        );
      const whole = tokensByEnd(steps);
      const rest = tokensByEnd(steps.filter((_, index) => index !== missing));
      for (const [end, tokens] of rest) {
        if (whole.has(end)) expect(whole.get(end)).toEqual(tokens);
      }
    }),
  );
});
