import { textsIn } from "../../providers/page-tree.ts";
import { type Mutation, onDocument } from "../mutation.ts";

const inLanguage = (name: string, words: Readonly<Record<string, string>>): Mutation => ({
  group: "languages",
  name,
  mutate: onDocument((document) => {
    for (const text of [
      ...textsIn(document, "th"),
      ...textsIn(document, "h2"),
      ...textsIn(document, "h3"),
    ])
      for (const [word, other] of Object.entries(words))
        text.value = text.value.replace(new RegExp(word, "gi"), other);
  }),
});

export const languageMutations: readonly Mutation[] = [
  inLanguage("German", {
    "shut-?down date|retirement date|EOL date|retirement": "Abschaltdatum",
    "recommended replacement|replacement": "Ersatz",
    models: "Modelle",
    model: "Modell",
  }),
  inLanguage("French", {
    "shut-?down date|retirement date|EOL date|retirement": "Date d’arrêt",
    "recommended replacement|replacement": "Remplacement",
    models: "Modèles",
    model: "Modèle",
  }),
  inLanguage("Japanese", {
    "shut-?down date|retirement date|EOL date|retirement": "提供終了日",
    "recommended replacement|replacement": "代替モデル",
    models: "モデル",
    model: "モデル",
  }),
];
