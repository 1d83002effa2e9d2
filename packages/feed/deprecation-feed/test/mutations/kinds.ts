import { addedRowMutations } from "./kinds/added-rows.ts";
import { addedSectionMutations } from "./kinds/added-sections.ts";
import { brokenPageMutations } from "./kinds/broken-pages.ts";
import { columnMutations } from "./kinds/columns.ts";
import { dateCellMutations } from "./kinds/date-cells.ts";
import { dateMutations } from "./kinds/dates.ts";
import { headingMutations } from "./kinds/headings.ts";
import { languageMutations } from "./kinds/languages.ts";
import { otherTableMutations } from "./kinds/other-tables.ts";
import { otherThingMutations } from "./kinds/other-things.ts";
import { structureMutations } from "./kinds/structure.ts";
import type { Mutation } from "./mutation.ts";

/** How pages may change from one day to the next, by the part that changes. */
export const mutations: readonly Mutation[] = [
  ...headingMutations,
  ...languageMutations,
  ...columnMutations,
  ...dateMutations,
  ...structureMutations,
  ...otherTableMutations,
  ...dateCellMutations,
  ...addedRowMutations,
  ...addedSectionMutations,
  ...otherThingMutations,
  ...brokenPageMutations,
];
