import type { Ledger } from "@proj/sequences";
import { hrefOf } from "../shell/location.ts";
import { count, plural } from "../text/format.ts";
import { Notice } from "../text/notice.tsx";
import { visible } from "../text/visible.ts";
import { SequenceCard } from "./sequence-card.tsx";
import { useTokens } from "./use-tokens.ts";
import "./tokens.css";

/** A session as a trainer gets it: its sequences, and what happened to each token. */
export function TokensView({ session_id }: { readonly session_id: string }) {
  const { body, error } = useTokens(session_id);
  return (
    <div class="page tokens">
      <header class="head">
        <h2>Tokens of {visible(session_id)}</h2>
        <p class="links">
          <a href={hrefOf("sessions", session_id)}>Session</a>
          {body?.isCut === true && <span class="bad">first steps only</span>}
          {body !== null && body.partial_steps > 0 && (
            <span class="bad">
              {plural(body.partial_steps, "step")} with earlier messages that are in no row
            </span>
          )}
        </p>
      </header>
      <Notice error={error} />
      {body === null && error === null && <p class="empty">Loading the tokens …</p>}
      {body !== null && <LedgerTable ledger={body.ledger} />}
      {body?.sequences.length === 0 && (
        <p class="empty">
          No step has token ids. A route with <code>engine</code> asks the engine for them,
          whichever API the agent speaks.
        </p>
      )}
      {body?.sequences.map((sequence, index) => (
        <SequenceCard key={sequence.split.step} sequence={sequence} number={index + 1} />
      ))}
    </div>
  );
}

function LedgerTable({ ledger }: { readonly ledger: Ledger }) {
  const { captured, delivered, masked, dropped, delivered_fraction, unknown_steps, steps } = ledger;
  const left = steps.filter(({ reason }) => reason !== null);
  return (
    <section aria-label="Ledger">
      <p class="links">
        <strong>
          {Math.round(1000 * delivered_fraction) / 10}% of the sampled tokens are trained on
        </strong>
        <span>
          {count(captured)} captured = {count(delivered)} delivered + {count(masked)} masked +{" "}
          {count(dropped)} dropped
        </span>
        {unknown_steps > 0 && (
          <span class="bad">{plural(unknown_steps, "step")} sampled an unknown number</span>
        )}
      </p>
      {left.length > 0 && (
        <details>
          <summary>{plural(left.length, "step")} not fully trained on</summary>
          <ul class="causes">
            {left.map(({ step, reason, by, captured }) => (
              <li key={step}>
                <code>{visible(step)}</code> <strong>{reason}</strong>
                {by !== null && ` (${visible(by)})`}{" "}
                <span class="quiet">{count(captured)} sampled</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
