import numpy as np
import pytest

from gateway_client import LauncherError


def sums(group, count):
    return [
        {"simulation_id": f"{group}.{at}", "group_id": group, "env_params": {"question": f"{at} + 1"}}
        for at in range(count)
    ]


def by_place(document):
    assert document["steps"][-1]["response"]["choices"]
    return {"score": int(document["simulation"]["simulation_id"][-1]), "why": "its place"}


def test_groups_are_read_as_arrays_of_exactly_what_was_sampled(launcher, ask):
    with launcher.start(
        [*sums("g", 3), *sums("h", 2)], model="policy", agent=ask, evaluator=by_place, concurrency=3
    ) as job:
        groups = {group.name: group for group in job.groups(timeout_s=60)}
        summary = job.wait(60)
        assert (summary.finished, summary.failed, summary.mean_reward) == (5, 0, 0.8)
        assert list(job.groups(timeout_s=60)) == list(groups.values())
    assert set(groups) == {f"{summary.job_id}/g", f"{summary.job_id}/h"}
    group = groups[f"{summary.job_id}/g"]
    assert sorted(rollout.reward for rollout in group.rollouts) == [0, 1, 2]
    assert sorted(group.advantages) == [-1, 0, 1]
    for rollout in group.rollouts:
        (sequence,) = rollout.sequences
        ids, mask, logprobs = sequence.arrays()
        assert (ids.dtype, mask.dtype, logprobs.dtype) == (np.int32, np.uint8, np.float32)
        assert len(ids) == len(mask) == len(logprobs) and 0 < mask.sum() < len(mask)
        assert (logprobs[mask == 0] == 0).all() and (logprobs[mask == 1] < 0).all()
        assert rollout.env_params == {"question": f"{rollout.reward:.0f} + 1"}
        assert sequence.weight == 1 and not sequence.is_truncated


def test_after_a_pause_tokens_have_the_new_version(launcher, gateway, ask):
    for version in ("v1", "v2"):
        gateway.pause("policy", "drain", timeout_s=30)
        gateway.resume("policy", version)
        with launcher.start(sums("g", 1), model="policy", agent=ask) as job:
            ((rollout,),) = (group.rollouts for group in job.groups(timeout_s=60))
        assert rollout.reward == 0.125
        assert {span["version"] for span in rollout.sequences[0].versions} == {version}


def test_scores_are_given_again_without_playing(launcher, ask):
    with launcher.start(sums("g", 2), model="policy", agent=ask) as job:
        job_id = job.wait(60).job_id
    played = []

    def judge(document):
        played.append(document["simulation"]["simulation_id"])
        return 0.75

    assert launcher.score(job_id, model="policy", evaluator=judge)
    assert sorted(played) == ["g.0", "g.1"]
    (group,) = launcher.groups(job_id)
    assert [rollout.reward for rollout in group.rollouts] == [0.75, 0.75]


def test_a_function_that_raises_fails_its_simulation_alone(launcher, ask):
    simulations = [*sums("g", 1), {"simulation_id": "odd", "group_id": "g", "env_params": {}}]
    with launcher.start(simulations, model="policy", agent=ask) as job:
        (group,) = job.groups(timeout_s=60)
        summary = job.wait(60)
    assert [rollout.simulation_id for rollout in group.rollouts] == ["g.0"]
    assert (summary.finished, summary.failed) == (1, 1)


def test_a_job_that_was_left_is_continued(launcher, ask):
    simulations = sums("g", 2)
    with launcher.start(simulations, model="policy", agent=ask, job_id="left") as job:
        assert job.job_id == "left"
    with launcher.start(simulations, model="policy", agent=ask, job_id="left") as job:
        assert job.wait(60).finished == 2


def test_what_the_launcher_cannot_do_is_said(launcher, ask):
    with launcher.start(sums("g", 1), model="nobody", agent=ask) as job:
        with pytest.raises(LauncherError, match="nobody"):
            job.wait(60)
        with pytest.raises(LauncherError, match="nobody"):
            next(job.groups())
    with pytest.raises(LauncherError, match="exit|option|unknown"):
        with launcher.start(sums("g", 1), model="policy", agent=ask, options=["--no-such"]) as job:
            job.wait(60)
