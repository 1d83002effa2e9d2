import type { Simulation } from "@proj/session-store/answers";
import { hrefOf, hrefWith } from "../shell/location.ts";
import { count, reward } from "../text/format.ts";
import { visible } from "../text/visible.ts";
import { causesOf, distribution, type Range, shadeOf } from "./job-figures.ts";

interface DistributionProps {
  readonly rewards: readonly number[];
  readonly range: Range;
}

/** How often each reward was given, in the colours of the cells. */
export function Distribution({ rewards, range }: DistributionProps) {
  const bars = distribution(rewards);
  if (bars.length === 0) return null;
  const most = Math.max(...bars.map(({ count }) => count));
  return (
    <section aria-label="Distribution of rewards">
      <h3>Rewards</h3>
      <ol class="bars">
        {bars.map(({ from, to, count: times }) => (
          <li key={from}>
            <span class="number">
              {from === to ? reward(from) : `${reward(from)} – ${reward(to)}`}
            </span>
            <span class="times">
              <span
                class={`bar-of shade-${shadeOf((from + to) / 2, range)}`}
                style={{ width: `${(70 * times) / most}%` }}
              />
              {count(times)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Failed attempts by why they failed. */
export function Causes({ attempts }: { readonly attempts: readonly Simulation[] }) {
  const causes = causesOf(attempts);
  if (causes.length === 0) return null;
  return (
    <section aria-label="Failures by cause">
      <h3>Failures</h3>
      <ul class="causes">
        {causes.map(({ cause, codes, attempts }) => (
          <li key={cause}>
            <a href={hrefWith({ show: "table", attempts: "all", find: `cause:${cause}` })}>
              {count(attempts.length)} × {cause.replace("_", " ")}
            </a>
            <code class="quiet">{codes.slice(0, 3).map(cut).join(", ")}</code>{" "}
            {attempts.slice(0, 3).map(({ session_id, simulation_id }) => (
              <a
                key={session_id}
                href={hrefOf("sessions", session_id)}
                title={visible(simulation_id)}
              >
                {visible(simulation_id)}
              </a>
            ))}
            <p class="preview">{visible(detailOf(attempts[0]?.error ?? ""))}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** An error without a colon is all code. */
const cut = (code: string): string => visible(code.length > 80 ? `${code.slice(0, 80)}…` : code);

/** What an error says besides its code. */
const detailOf = (error: string): string => error.replace(/^[^:]*:\s*/, "");
