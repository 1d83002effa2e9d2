import http.client
import json
from urllib.parse import urlsplit

import pytest

from gateway_client import Gateway, GatewayError
from gateway_client.functions import FunctionServer
from gateway_client.rollouts import read_groups


def post(url, **how):
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.netloc, timeout=30)
    connection.request("POST", parts.path, **how)
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def test_functions_read_bodies_of_known_length_and_in_chunks():
    server = FunctionServer(double=lambda given: given["n"] * 2)
    body = json.dumps({"n": 21, "rest": "x" * 100_000}).encode()
    try:
        assert post(server.url("double"), body=body) == (200, "42")
        pieces = (body[at : at + 1000] for at in range(0, len(body), 1000))
        assert post(server.url("double"), body=pieces, encode_chunked=True) == (200, "42")
        assert post(server.url("double"), body=b"{}") == (500, "KeyError: 'n'")
        assert post(server.url("treble"), body=body)[0] == 404
        guessed = urlsplit(server.url("double"))._replace(path="/double").geturl()
        assert post(guessed, body=body)[0] == 404
    finally:
        server.close()


def test_refusals_of_the_gateway_have_their_status_and_code(gateway):
    with pytest.raises(GatewayError) as refused:
        gateway.pause("no/such route")
    assert refused.value.status == 404 and refused.value.code is not None
    with pytest.raises(GatewayError) as stranger:
        Gateway(gateway.base_url, api_key="wrong").resume("policy")
    assert stranger.value.status == 401
    with pytest.raises(GatewayError, match="cannot be reached"):
        Gateway("http://127.0.0.1:9").resume("policy")


def test_sequences_of_a_rollout_stay_together_and_can_be_read_without_numpy():
    def line(rollout, group, weight):
        about = {"rollout_id": rollout, "group": group, "simulation_id": "s", "env_params": {}, "reward": 1.0}
        tokens = {"input_ids": [1, 2], "loss_mask": [0, 1], "logprobs": None, "versions": []}
        return json.dumps({**about, **tokens, "is_truncated": False, "weight": weight})

    lines = [line("a", "g", 0.5), line("a", "g", 0.5), line("b", "g", 1.0), line("c", "h", 1.0)]
    groups = list(read_groups(lines))
    assert [[len(each.sequences) for each in group.rollouts] for group in groups] == [[2, 1], [1]]
    assert sum(s.weight for group in groups for each in group.rollouts for s in each.sequences) == 3
    _, _, logprobs = groups[0].rollouts[0].sequences[0].arrays()
    assert logprobs is None
