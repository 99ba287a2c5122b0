"""Takes the messages of a webhook: verifies each, and prints what has changed.

WEBHOOK_SECRET=whsec_… flask --app examples/receiver.py run --port 8081
"""

import os
from collections import deque

from flask import Flask, request
from standardwebhooks import Webhook
from standardwebhooks.webhooks import WebhookVerificationError

app = Flask(__name__)
webhook = Webhook(os.environ["WEBHOOK_SECRET"])
# A message may come twice, with the same id.
taken: deque[str] = deque(maxlen=10_000)


@app.post("/changes")
def take() -> tuple[str, int]:
    """Take a message once; refuse what is not signed with the secret."""
    try:
        message = webhook.verify(request.get_data(), dict(request.headers))
    except WebhookVerificationError:
        return "The signature does not hold.\n", 401
    if request.headers["webhook-id"] not in taken:
        print(message["type"], message["data"].get("id"), flush=True)
        taken.append(request.headers["webhook-id"])
    return "", 204
