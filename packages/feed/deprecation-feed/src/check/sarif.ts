import { type CheckedModel, type CheckReport, checkSentence } from "./check-report.ts";

const levels: Readonly<Record<CheckedModel["verdict"], "error" | "warning" | "note">> = {
  ending: "error",
  deprecated: "warning",
  active: "note",
  unknown: "note",
};

const rules: readonly { readonly verdict: CheckedModel["verdict"]; readonly text: string }[] = [
  { verdict: "ending", text: "The model has shut down, or will soon." },
  { verdict: "deprecated", text: "The model is deprecated." },
];

/** SARIF 2.1.0 for code scanning: one result per place that names a deprecated or ending model. */
export function sarif({ models, warnings }: CheckReport): string {
  const results = models.flatMap((checked) => {
    if (!rules.some(({ verdict }) => verdict === checked.verdict)) return [];
    return checked.places.map(({ file, line, column }) => ({
      ruleId: ruleId(checked.verdict),
      level: levels[checked.verdict],
      message: { text: checkSentence(checked) },
      locations: [
        {
          physicalLocation: {
            artifactLocation: {
              uri: file.replaceAll("\\", "/").split("/").map(encodeURIComponent).join("/"),
            },
            ...(line === null
              ? {}
              : {
                  region: { startLine: line, ...(column === null ? {} : { startColumn: column }) },
                }),
          },
        },
      ],
      // Made from the model and the file, so that it survives lines added above.
      partialFingerprints: { "model/v1": `${checked.model} ${file}` },
    }));
  });
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "deprecations",
            rules: rules.map(({ verdict, text }) => ({
              id: ruleId(verdict),
              shortDescription: { text },
              defaultConfiguration: { level: levels[verdict] },
            })),
          },
        },
        invocations: [
          {
            executionSuccessful: true,
            toolExecutionNotifications: warnings.map(({ message }) => ({
              level: "warning",
              message: { text: message },
            })),
          },
        ],
        results,
      },
    ],
  };
  return `${JSON.stringify(log, null, 1)}\n`;
}

const ruleId = (verdict: CheckedModel["verdict"]): string => `model-${verdict}`;
