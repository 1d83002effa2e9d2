import type { Simulation } from "../../answers/browse.ts";
import { hrefOf } from "../shell/location.ts";
import { count, reward } from "../text/format.ts";
import { visible } from "../text/visible.ts";
import { causesOf, distribution } from "./job-figures.ts";

export function Distribution({ rewards }: { readonly rewards: readonly number[] }) {
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
            <span class="bar-of" style={{ width: `${(60 * times) / most}%` }} />
            {count(times)}
          </li>
        ))}
      </ol>
    </section>
  );
}

export function Causes({ attempts }: { readonly attempts: readonly Simulation[] }) {
  const causes = causesOf(attempts);
  if (causes.length === 0) return null;
  return (
    <section aria-label="Failures by cause">
      <h3>Failures</h3>
      <ul class="causes">
        {causes.map(({ code, attempts }) => (
          <li key={code}>
            <span class="bad">{count(attempts.length)} ×</span> <code>{visible(code)}</code>{" "}
            {attempts.slice(0, 3).map(({ session_id, simulation_id }) => (
              <a key={session_id} href={hrefOf("sessions", session_id)}>
                {visible(simulation_id)}
              </a>
            ))}
            <p class="preview">{visible(attempts[0]?.error ?? "").slice(0, 200)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
