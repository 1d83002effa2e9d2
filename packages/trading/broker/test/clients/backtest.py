"""A moving-average bot that moves the market itself, as fxcmpy's users write them: candles in, orders out."""

import json
import sys
import threading

import requests
import socketio

url, token = sys.argv[1:3]
connected = threading.Event()
socket = socketio.Client()
socket.on("connect", lambda *_: connected.set())
socket.connect(f"{url}?access_token={token}")
assert connected.wait(20)
session = requests.Session()
session.headers.update({"Authorization": f"Bearer {socket.eio.sid}{token}"})


def get(path, **fields):
    return session.get(url + path, params=fields).json()


def post(path, **fields):
    answer = session.post(url + path, data=fields).json()
    assert answer["response"]["executed"], answer
    return answer.get("data")


account_id = get("/trading/get_model", models="Account")["accounts"][0]["accountId"]
orders = []
is_long = False
for _ in range(240):
    post("/control/advance", ms=60_000)
    candles = get("/candles/1/m1", num=30)["candles"]
    closes = [candle[2] for candle in candles]
    if len(closes) < 30:
        continue
    should_be_long = sum(closes[-8:]) / 8 > sum(closes) / 30
    if should_be_long and not is_long:
        orders.append(
            post(
                "/trading/open_trade",
                account_id=account_id,
                symbol="EUR/USD",
                is_buy=True,
                amount=10,
                order_type="AtMarket",
                time_in_force="GTC",
            )["orderId"]
        )
    elif is_long and not should_be_long:
        orders += [
            closed["orderId"]
            for closed in post(
                "/trading/close_all_for_symbol",
                account_id=account_id,
                forSymbol=True,
                symbol="EUR/USD",
                order_type="AtMarket",
                time_in_force="GTC",
            )
        ]
    is_long = should_be_long
accounts = get("/trading/get_model", models="Account")["accounts"]
print(json.dumps({"orders": orders, "equity": accounts[0]["equity"]}))
socket.disconnect()
