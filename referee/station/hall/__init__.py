"""The box's side of the hall: an HTTP client in threads of its own, for which the loop never waits.

Its calls, over TLS to the hall whose certificate is pinned; bodies are JSON objects, entries JSON Lines:

``PUT /api/games/{game}/entries?after=n``
    entries n+1 ... of a game, which is named by the hash of its entry 0; no entries: it only asks. 200, or 409 where
    they do not follow: ``last`` and ``hash`` of the last entry that the hall has, -1 and "" for none
``GET /api/games/{game}/entries?after=n``
    200: ``entries``, as many as fit; for a spare that goes on with that game
``GET /api/table?wait=25``, If-None-Match
    200 with an ETag: `referee.session.wish.Wish`, the whole of it; 304
``POST /api/acts``
    ``id``, ``kind`` (call, slip, challenge), ``round``, ``table``, ``players``, and of a slip ``result``. 200:
    ``done`` with the ``revision`` of the act, or not done and ``why``; ``later``: to be said again when the wish has
    changed. The same id gets the same answer
``POST /api/state``
    ``game``, ``match`` that it is of (``round``, ``table``, ``players``) or null,
    ``board`` (`referee.session.board.state_of`), the seat clocks (`referee.station.news`), ``other``:
    games of which the hall has other entries, ``run``: 16 hex digits, others after each start. 204
``POST /api/boxes``
    ``code``: six die keys. 200: ``token``; 403: ``why``

A call carries the token, ``Referee-Seen``: the newest record that this box has seen of any hall of the event, and
``Referee-Doubted``: the last one from a hall in doubt. An answer carries ``Referee-Record``: revision, head and proof
of the hall's record, ``Referee-Doubt: yes`` while it may be an old copy, and ``Referee-Copied: yes`` while a second
box speaks with the same token. 401: the token does not hold; 503: to
be said again later.
"""
