"""The number in `content_version`, which is another one after every change to what public pages show.

A page kept under this number is as fresh as the database, whichever process wrote. It is drawn by lot, not counted:
after a transaction that was taken back, or a backup that was brought back, a count would come to a number again
under which other pages are kept.

The row is there exactly while the triggers are: without them nothing may be kept.
"""

# What public pages are made of. The owner's tables are not among them: their changes are nobody's business.
TABLES = ("papers", "paper_authors", "paper_tags", "paper_summaries", "summary_status")

# An upsert, for a table that was emptied.
RENEW = (
    "INSERT INTO content_version (id, version) VALUES (1, random())"
    " ON CONFLICT (id) DO UPDATE SET version = excluded.version"
)
FORGET = "DELETE FROM content_version"

TRIGGERS = {
    f"content_version_{table}_{event.lower()}": (
        f"CREATE TRIGGER content_version_{table}_{event.lower()} AFTER {event} ON {table} BEGIN {RENEW}; END"
    )
    for table in TABLES
    for event in ("INSERT", "UPDATE", "DELETE")
}
