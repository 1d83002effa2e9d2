import type { RouteOverview } from "@proj/gateway-protocol";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { ActionDialog } from "../actions/action-dialog.tsx";
import { useSource } from "../data/use-answer.ts";
import { plural } from "../text/format.ts";
import { visible } from "../text/visible.ts";

/** Buttons that pause and resume a route. */
export function RouteActions({ route }: { readonly route: RouteOverview }) {
  const [action, setAction] = useState<"pause" | "resume" | null>(null);
  const close = (): void => setAction(null);
  return (
    <p class="tools">
      <button type="button" onClick={() => setAction("pause")}>
        Pause …
      </button>
      {route.pause !== null && (
        <button type="button" onClick={() => setAction("resume")}>
          Resume …
        </button>
      )}
      {action === "pause" && <Pause route={route} onClose={close} />}
      {action === "resume" && <Resume route={route} onClose={close} />}
    </p>
  );
}

interface RouteActionProps {
  readonly route: RouteOverview;
  readonly onClose: () => void;
}

const modes: readonly (readonly [string, string])[] = [
  ["hold", "New requests wait until the route is resumed; those in flight continue."],
  [
    "drain",
    "New requests wait, and the action completes when none is in flight: for loading new weights.",
  ],
  ["refuse", "New requests are answered with 429; those in flight continue."],
];

function Pause({ route: { model, in_flight }, onClose }: RouteActionProps) {
  const source = useSource();
  const [mode, setMode] = useState("hold");
  return (
    <ActionDialog
      title={`Pause ${visible(model)}`}
      onClose={onClose}
      run={async () => {
        await source.send(pathOf(model, "pause"), { mode });
        return "It is paused on every gateway that shares this storage.";
      }}
    >
      <p>
        This pauses the route on every gateway that shares this storage, until somebody resumes it.{" "}
        {plural(in_flight, "request")} in flight here.
      </p>
      <fieldset>
        <legend>How</legend>
        {modes.map(([name, meaning]) => (
          <Choice key={name} name={name} isChosen={name === mode} onChoose={() => setMode(name)}>
            {meaning}
          </Choice>
        ))}
      </fieldset>
    </ActionDialog>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly children: ComponentChildren;
}

function Choice({ name, isChosen, onChoose, children }: ChoiceProps) {
  return (
    <label class="choice">
      <input type="radio" name="mode" checked={isChosen} onChange={onChoose} />{" "}
      <span>
        <strong>{name}</strong> {children}
      </span>
    </label>
  );
}

function Resume({ route: { model, weight_version, waiting }, onClose }: RouteActionProps) {
  const source = useSource();
  const [version, setVersion] = useState("");
  return (
    <ActionDialog
      title={`Resume ${visible(model)}`}
      onClose={onClose}
      run={async () => {
        const given = version.trim() === "" ? {} : { weight_version: version.trim() };
        await source.send(pathOf(model, "resume"), given);
        return "It forwards again on every gateway that shares this storage.";
      }}
    >
      <p>New requests are forwarded again. {plural(waiting, "request")} waiting here.</p>
      <label>
        Weight version, recorded with each step{" "}
        <input
          type="search"
          value={version}
          placeholder={weight_version === null ? "unchanged" : visible(weight_version)}
          onInput={({ currentTarget }) => setVersion(currentTarget.value)}
        />
      </label>
    </ActionDialog>
  );
}

const pathOf = (model: string, verb: string): string =>
  `/v1/routes/${encodeURIComponent(model)}/${verb}`;
