"""fxcmpy 1.2: connects first and listens for "connect" afterwards, then does everything over requests."""

import json
import sys
import threading

import requests
import socketio

url, token = sys.argv[1:3]
connected = threading.Event()
prices = threading.Event()
socket = socketio.Client()
socket.connect(f"{url}?access_token={token}")
socket.on("connect", lambda *_: connected.set())
if not connected.wait(20):
    sys.exit("the connect handler was never called")

headers = {
    "User-Agent": "request",
    "Accept": "application/json",
    "Content-Type": "application/x-www-form-urlencoded",
    "Authorization": f"Bearer {socket.eio.sid}{token}",
}


def send(method, path, fields):
    get = method == "GET"
    answer = requests.request(
        method, url + path, headers=headers, **{"params" if get else "data": fields}
    ).json()
    assert answer["response"]["executed"], answer
    return answer


accounts = send("GET", "/trading/get_model", {"models": ["Account"]})["accounts"]
account_id = accounts[0]["accountId"]
orders = []
socket.on("Order", lambda text: orders.append(json.loads(text)))
send("POST", "/trading/subscribe", {"models": "Order"})
socket.on("EUR/USD", lambda _: prices.set())
send("POST", "/subscribe", {"pairs": "EUR/USD"})
placed = send(
    "POST",
    "/trading/open_trade",
    {
        "account_id": account_id,
        "symbol": "EUR/USD",
        "is_buy": "true",
        "rate": 0,
        "amount": 3,
        "at_market": 0,
        "order_type": "AtMarket",
        "time_in_force": "GTC",
        "stop": -20,
        "trailing_step": None,
        "is_in_pips": "true",
    },
)
send(
    "POST",
    "/trading/create_entry_order",
    {
        "account_id": account_id,
        "symbol": "EUR/USD",
        "is_buy": "true",
        "rate": 1.0,
        "amount": 1,
        "order_type": "Entry",
        "time_in_force": "GTD",
        # datetime.strftime writes microseconds, six digits.
        "expiration": "01132026100000123456",
    },
)
candles = send("GET", "/candles/1/m1", {"num": 5})["candles"]
assert prices.wait(20), "no price was pushed"
send(
    "POST",
    "/trading/close_all_for_symbol",
    {
        "account_id": account_id,
        "forSymbol": "false",
        "symbol": "",
        "order_type": "AtMarket",
        "time_in_force": "GTC",
    },
)
ours = [order for order in orders if order["orderId"] == str(placed["data"]["orderId"])]
print(
    json.dumps(
        {
            "account": account_id,
            "hasCandles": len(candles) > 0,
            "insert": {name: ours[0].get(name) for name in ("action", "status", "tradeId")},
        }
    )
)
socket.disconnect()
