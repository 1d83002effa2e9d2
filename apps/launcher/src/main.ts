import type { Program } from "@proj/program";

/** The program `launcher`. */
export const launcher: Program = {
  name: "launcher",
  manifest: new URL("../package.json", import.meta.url),
  about: "Starts simulations against a model gateway, evaluates them and commits their rewards.",
  commands: {
    run: async () => (await import("./run/run-command.ts")).run,
    fork: async () => (await import("./fork/fork.ts")).fork,
    check: async () => (await import("./check/check.ts")).check,
    "clean-tasks": async () => (await import("./tasks/clean-tasks.ts")).cleanTasksCommand,
    evaluate: async () => (await import("./evaluate/evaluate.ts")).evaluate,
    judge: async () => (await import("./judge/judge.ts")).judge,
    review: async () => (await import("./review/review.ts")).review,
    agreement: async () => (await import("./judge/agreement.ts")).agreement,
    status: async () => (await import("./status/status.ts")).status,
    report: async () => (await import("./report/report.ts")).report,
    compare: async () => (await import("./report/compare.ts")).compare,
    show: async () => (await import("./show/show.ts")).show,
    view: async () => (await import("./view/view.ts")).view,
    export: async () => (await import("./export/export.ts")).exportSteps,
    archive: async () => (await import("./archive/archive.ts")).archive,
    doctor: async () => (await import("./doctor/doctor.ts")).doctor,
  },
};
