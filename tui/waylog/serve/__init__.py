"""What players' phones and the table's screen get over HTTP: one page, a feed of what that player sees, and a way to propose.

- **It works from what every program of players has**: the players' file and the inbox. It opens nothing else of a campaign, so it may
  run under another account, and only the wayfinder plays.
- **asyncio serves, h11 reads.** h11 parses HTTP and frames bodies, which is where a server by hand goes wrong. What phones need beside it
  is time limits for slow clients, a bound on connections, and a feed that never queues; no server gives these. starlette with uvicorn
  takes 61 ms and 9 MB more at each start, needs seven packages in place of one, loads the library for encrypted connections, and has no
  time limit for a request that never ends. http.server would take a thread for each phone.
- **Every connection is an enemy's until its cookie is known.** `connections_requests_and_login.py` bounds it in
  time, size and number, and checks where it comes from and whose it is.
"""
