"""fxcmpy 1.1.16: socketIO-client 0.7.2 on a thread of its own."""

import json
import sys
import threading

import requests
from socketIO_client import SocketIO

url, token = sys.argv[1:3]
socket = SocketIO(url.rsplit(":", 1)[0], int(url.rsplit(":", 1)[1]), params={"access_token": token})
connected = threading.Event()
prices = []
socket.on("connect", connected.set)
threading.Thread(target=socket.wait, daemon=True).start()
socket_id = socket._engineIO_session.id
headers = {"User-Agent": "request", "Authorization": f"Bearer {socket_id}{token}"}
socket.on("EUR/USD", lambda text: prices.append(json.loads(text)))
answer = requests.post(url + "/subscribe", headers=headers, data={"pairs": "EUR/USD"}).json()
requests.get(url + "/trading/get_model", headers=headers, params={"models": "Offer"})
while len(prices) < 2:
    threading.Event().wait(0.05)
print(json.dumps({"pairs": len(answer["pairs"]), "symbol": prices[0]["Symbol"]}))
