"""The way out of changes: the feed of changes, webhooks, WebSub, e-mails."""
