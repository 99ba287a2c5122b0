"""Personal data behind an e-mail address: export and erasure."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from calendar_app.accounts.authentication import SESSIONS, USERS, has_email
from calendar_app.accounts.secrets import Invitations
from calendar_app.accounts.users import Accounts
from calendar_app.calendar.contributed_pictures import SUBMISSIONS
from calendar_app.calendar.decision_letters import NO_LETTER
from calendar_app.calendar.history import HISTORY
from calendar_app.calendar.inbox import AUTHOR, Conversations
from calendar_app.calendar.mistakes import MISTAKES
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import EVENT, ORGANIZER
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import Clause, equals_in_any_case, identified, one_of

# Of a user, without the hashes of passwords.
_PROFILE = ("_id", "name", "display_name", "role", "email", "created", "keeps", "blocked")
_SESSION = ("user", "created", "used", "expires", "agent", "address")
_CONTRIBUTION = ("_id", "name", "email", "language", "submitted", "mended", "withdrawn", "expires")
_REPORT = ("_id", "event", "text", "email", "language", "sent", "state", "expires")
_ENTRY = ("kind", "record", "revision", "date", "user", "name", "door", "action")
_EARLIER_EMAIL = "before.email"


@dataclass(frozen=True, slots=True)
class PersonalRecords:
    """The documents about one person, by where they are stored; none has a password.

    ``reports`` are of mistakes. ``letters`` wait to be sent. ``organizers`` are public records
    with the address: editors decide about those. ``earlier_addresses`` are states of organizers in
    the history that had it. ``messages`` are of senders, ``user_messages`` of users.
    """

    users: list[Record]
    sessions: list[Record]
    contributions: list[Record]
    reports: list[Record]
    letters: list[Record]
    messages: list[Record]
    user_messages: list[Record]
    history: list[Record]
    earlier_addresses: list[Record]
    organizers: list[Record]

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    def counts(self) -> dict[str, int]:
        """Return how many documents there are at each place."""
        return {name: len(documents) for name, documents in asdict(self).items()}


class PersonalData:
    """Finds and erases the personal data in one store.

    ``invitations`` and ``conversations`` are those of the same store.
    """

    def __init__(
        self,
        store: Store,
        accounts: Accounts,
        invitations: Invitations,
        conversations: Conversations,
    ) -> None:
        self._store = store
        self._accounts = accounts
        self._invitations = invitations
        self._conversations = conversations

    def records_of(self, email: str) -> PersonalRecords:
        """Return everything that is stored about the person with an e-mail address."""
        users = self._find(USERS, has_email(email), _PROFILE)
        ids = [user["_id"] for user in users]
        has_address = equals_in_any_case("email", email)
        sent = self._store[SUBMISSIONS].find(has_address)
        reported = self._store[MISTAKES].find(has_address)
        return PersonalRecords(
            users=users,
            sessions=self._find(SESSIONS, one_of("user", ids), _SESSION),
            contributions=[_only(document, _CONTRIBUTION) for document in sent],
            reports=[_only(document, _REPORT) for document in reported],
            letters=[each["letter"] for each in (*sent, *reported) if each.get("letter")],
            messages=list(self._messages([document["_id"] for document in sent])),
            user_messages=[
                {
                    "kind": each["kind"],
                    "record": each["record"],
                    "user": remark.user,
                    "text": remark.text,
                    "date": remark.moment,
                }
                for each, remark in self._conversations.of_users(ids)
            ],
            history=self._find(HISTORY, one_of("user", ids), _ENTRY),
            earlier_addresses=self._find(
                HISTORY, equals_in_any_case(_EARLIER_EMAIL, email), (*_ENTRY, _EARLIER_EMAIL)
            ),
            organizers=self._find(ORGANIZER.name, has_address, ("_id", "slug", "email")),
        )

    def erase(self, email: str) -> PersonalRecords:
        """Erase all data of a person by e-mail address, and return the erased data.

        Users are removed, senders of contributions forgotten with their letters and conversations,
        those of reports with their letters, names and earlier addresses taken out of the history.
        Events and reports stay, and organizers stay as they are. Raises ``LastAdministrator``; then
        nothing is erased.
        """

        def work() -> PersonalRecords:
            erased = self.records_of(email)
            for user in erased.users:
                self._remove_user(user)
            for contribution in erased.contributions:
                self._forget_sender(contribution["_id"])
            reports = one_of("_id", [report["_id"] for report in erased.reports])
            forgotten = {"$set": {"email": ""}, "$unset": NO_LETTER}
            self._store[MISTAKES].change_all(reports, forgotten)
            self._erase_history([user["_id"] for user in erased.users], email)
            return erased

        return self._store.transact(work)

    def _remove_user(self, user: Record) -> None:
        self._accounts.remove(user["name"])
        self._invitations.withdraw(user["_id"])
        # Users whom they have changed say so.
        saved = one_of("saved_by", [user["name"], user.get("display_name") or user["name"]])
        self._store[USERS].change_all(saved, {"$set": {"saved_by": ""}})

    def _forget_sender(self, event_id: int) -> None:
        # A question to the sender may name them, and nobody is left to answer it.
        forgotten = {"name": "", "email": "", "question": ""}
        update = {"$set": forgotten, "$unset": NO_LETTER}
        self._store[SUBMISSIONS].change(identified(event_id), update)
        self._conversations.forget(EVENT, event_id)

    def _erase_history(self, user_ids: Sequence[int], email: str) -> None:
        history = self._store[HISTORY]
        history.change_all(one_of("user", user_ids), {"$set": {"name": ""}})
        earlier = equals_in_any_case(_EARLIER_EMAIL, email)
        history.change_all(earlier, {"$set": {_EARLIER_EMAIL: ""}})

    def _messages(self, event_ids: Sequence[int]) -> Sequence[Record]:
        """Return the messages of senders about their contributions."""
        conversations = self._conversations.of(EVENT, event_ids)
        return [
            {"event": event_id, "text": remark.text, "date": remark.moment}
            for event_id, conversation in conversations.items()
            for remark in conversation.remarks
            if remark.by == AUTHOR
        ]

    def _find(self, name: str, clause: Clause, fields: Sequence[str]) -> list[Record]:
        documents = self._store[name].find(clause, fields=fields)
        return [_only(document, fields) for document in documents]


def _only(document: Record, fields: Sequence[str]) -> Record:
    """Return some fields of a document; of a path, the outermost one."""
    names = [path.partition(".")[0] for path in fields]
    return {name: document[name] for name in names if name in document}
