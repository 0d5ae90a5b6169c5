"""When the words of a paper last changed, in `papers.text_changed_at`: for feeds, which must not call a vote news."""

_COLUMNS = ("title_en", "title_zh", "abstract", "is_withdrawn", "summary_quality")
_CHANGED = " OR ".join(f"OLD.{column} IS NOT NEW.{column}" for column in _COLUMNS)

TRIGGERS = {
    "text_changes_papers": (
        f"CREATE TRIGGER text_changes_papers AFTER UPDATE OF {', '.join(_COLUMNS)} ON papers WHEN {_CHANGED} BEGIN"  # noqa: S608
        " UPDATE papers SET text_changed_at = strftime('%Y-%m-%d %H:%M:%f', 'now') WHERE id = NEW.id; END"
    )
}
