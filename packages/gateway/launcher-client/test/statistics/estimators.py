"""Prints what scipy, statsmodels, inspect_ai and krippendorff make of each case of a JSON file."""

import json
import math
import sys
import warnings

import krippendorff
import numpy as np
import statsmodels.api as sm
from inspect_ai.scorer import SampleScore, Score, pass_at, stderr
from scipy import stats
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.proportion import proportion_confint

warnings.simplefilter("ignore")


def number(value):
    return float(value) if math.isfinite(value) else None


def clustered(clusters):
    if len(clusters) < 2:
        return {"inspect": None, "statsmodels": None, "interval": None}
    scores = [
        SampleScore(score=Score(value=value), sample_metadata={"task": str(task)})
        for task, values in enumerate(clusters)
        for value in values
    ]
    inspect = stderr(cluster="task")(scores)
    values = np.concatenate([np.array(cluster, dtype=float) for cluster in clusters])
    groups = np.repeat(np.arange(len(clusters)), [len(cluster) for cluster in clusters])
    fit = sm.OLS(values, np.ones(len(values))).fit(
        cov_type="cluster", cov_kwds={"groups": groups}
    )
    reach = stats.t.ppf(0.975, len(clusters) - 1) * inspect
    return {
        "inspect": number(inspect),
        "statsmodels": number(fit.bse[0]),
        "interval": [values.mean() - reach, values.mean() + reach],
    }


def passes(tasks, k):
    def hat(n, passed):
        return math.comb(passed, k) / math.comb(n, k)

    usable = [(n, passed) for n, passed in tasks if n >= k]
    if not usable:
        return {"at": None, "inspect": None, "hat": None}
    at = [1 - math.comb(n - passed, k) / math.comb(n, k) for n, passed in usable]
    reducer = pass_at(k)
    inspect = [
        reducer([Score(value=1)] * passed + [Score(value=0)] * (n - passed)).value
        for n, passed in usable
    ]
    return {
        "at": np.mean(at),
        "inspect": np.mean(inspect),
        "hat": np.mean([hat(n, passed) for n, passed in usable]),
    }


def wilson(tasks):
    n, passed = (sum(column) for column in zip(*tasks))
    return [number(bound) for bound in proportion_confint(passed, n, method="wilson")]


def paired(first, second):
    if len(first) < 2:
        return {"t": None, "p": None, "interval": None, "detectable": None}
    found = stats.ttest_rel(second, first)
    low, high = found.confidence_interval(0.95)
    spread = np.std(np.subtract(second, first), ddof=1) / math.sqrt(len(first))
    reach = stats.t.ppf(0.975, len(first) - 1) + stats.t.ppf(0.8, len(first) - 1)
    return {
        "t": number(found.statistic),
        "p": number(found.pvalue),
        "interval": [number(low), number(high)],
        "detectable": reach * spread,
    }


def kappa(pairs):
    said = sorted({word for pair in pairs for word in pair})
    table = np.zeros((len(said), len(said)))
    for one, other in pairs:
        table[said.index(one), said.index(other)] += 1
    return number(cohens_kappa(table).kappa)


def alpha(units, level):
    width = max(len(unit) for unit in units)
    table = [[unit[row] if row < len(unit) else None for unit in units] for row in range(width)]
    data = np.array(table, dtype=float)
    try:
        return number(krippendorff.alpha(reliability_data=data, level_of_measurement=level))
    except ValueError:
        return None


def percentile(means):
    return [number(bound) for bound in np.percentile(means, [2.5, 97.5])]


with open(sys.argv[1]) as file:
    for case in json.load(file):
        print(
            json.dumps(
                {
                    "clustered": clustered(case["clusters"]),
                    "passes": passes(case["trials"], case["k"]),
                    "wilson": wilson(case["trials"]),
                    "paired": paired(case["first"], case["second"]),
                    "kappa": kappa(case["pairs"]),
                    "nominal": alpha(case["units"], "nominal"),
                    "interval": alpha(case["units"], "interval"),
                    "percentile": percentile(case["means"]),
                }
            )
        )
