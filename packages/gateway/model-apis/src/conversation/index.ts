export { type ApiForm, type ApiForms, apiForms, formOf } from "./api-forms.ts";
export { arrayOf, elementsOf, memberOf } from "./json-slices.ts";
export { isJsonObject, readUtterance, type Utterance, type UtterancePart } from "./utterance.ts";
