"""fxcmrest-py: a WebSocket without a polling handshake, and the trade's id taken from the order's insert."""

import json
import sys
import threading

import requests
from ws4py.client.threadedclient import WebSocketClient

url, token = sys.argv[1:3]
connected = threading.Event()
traded = threading.Event()
seen = {}


class Stream(WebSocketClient):
    def received_message(self, message):
        text = str(message)
        if text.startswith("0"):
            seen["sid"] = json.loads(text[1:])["sid"]
        elif text == "40":
            connected.set()
        elif text.startswith("42"):
            name, content = json.loads(text[2:])
            order = json.loads(content)
            if name == "Order" and order["action"] == "I":
                seen["trade"] = order.get("tradeId")
                traded.set()


query = f"socket.io/?EIO=3&transport=websocket&access_token={token}"
stream = Stream(f"{url.replace('http', 'ws')}/{query}")
stream.connect()
if not connected.wait(20):
    sys.exit("the CONNECT packet was lost")
headers = {"Authorization": f"Bearer {seen['sid']}{token}", "User-Agent": "fxcmrest-py"}


def post(path, fields):
    return requests.post(url + path, headers=headers, data=fields).json()


# As axios and PHP write lists.
assert post("/trading/subscribe", {"models[]": "Order"})["response"]["executed"]
model = requests.get(url + "/trading/get_model?models[0]=Account&models[1]=Offer", headers=headers)
account_id = model.json()["accounts"][0]["accountId"]
post(
    "/trading/open_trade",
    {"account_id": account_id, "symbol": "EUR/USD", "is_buy": True, "amount": 1},
)
assert traded.wait(20)
closed = post("/trading/close_trade", {"trade_id": seen["trade"], "amount": 1})
print(json.dumps({"offers": len(model.json()["offers"]), "closed": closed["response"]["executed"]}))
stream.close()
