import type { Notice } from "@proj/deprecation-feed";

/** A row of a page about one model; omitted members are empty. */
export function row(model_id: string, facts: Partial<Notice> = {}): Notice {
  const notice: Notice = {
    model_id,
    aliases: [],
    announcement_date: "",
    deprecation_date: "",
    shutdown_date: "",
    earliest_shutdown_date: "",
    state: "",
    shutdown_text: "",
    replacement_models: [],
    regions: [],
    anchor: "",
    source_text: "",
    ...facts,
  };
  return { ...notice, source_text: `${model_id} ${JSON.stringify(facts)}` };
}
