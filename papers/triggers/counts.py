"""How many papers have each tag and each author, in all and by month.

A paper counts once for a name, whoever gave it and however it is written: tags are told apart by their folded form.
The tables: `tag_counts` and `tag_months`, `author_counts` and `author_months`.
"""

from dataclasses import dataclass

_MONTH = "date({}.paper_date, 'start of month')"
_PAPERS = "count(DISTINCT paper_id)"


@dataclass(frozen=True, slots=True)
class _Counted:
    """A kind of name: the papers' own rows, the column that is compared, the one that is shown, if another."""

    kind: str
    rows: str
    key: str
    shown: str = ""

    def triggers(self) -> dict[str, str]:
        """Return the triggers that keep both tables of counts."""
        changed = f"OLD.{self.key} <> NEW.{self.key} OR OLD.paper_id <> NEW.paper_id"
        moved = f"{_MONTH.format('OLD')} <> {_MONTH.format('NEW')}"
        events = {
            "insert": f"AFTER INSERT ON {self.rows} BEGIN {self._add()} END",
            "delete": f"AFTER DELETE ON {self.rows} BEGIN {self._take()} END",
            "update": (
                f"AFTER UPDATE OF {self.key}, paper_id ON {self.rows} WHEN {changed}"
                f" BEGIN {self._take()} {self._add()} END"
            ),
            "month": f"AFTER UPDATE OF paper_date ON papers WHEN {moved} BEGIN {self._move()} END",
            # A cascade removes the rows when the paper is gone, and its month with it.
            "paper": f"BEFORE DELETE ON papers BEGIN DELETE FROM {self.rows} WHERE paper_id = OLD.id; END",
        }
        return {
            f"{self.kind}_counts_{name}": f"CREATE TRIGGER {self.kind}_counts_{name} {event}"
            for name, event in events.items()
        }

    def fill(self) -> tuple[str, ...]:
        """Return the statements that count every row anew."""
        columns = f"{self.key}, {self.shown}, papers" if self.shown else f"{self.key}, papers"
        # Of the columns beside min(), SQLite gives those of the row that has it: the spelling that came first.
        counted = f"SELECT {self.key}, {self.shown or self.key}, min(id), {_PAPERS} AS papers"
        return (
            f"DELETE FROM {self.kind}_counts",
            f"DELETE FROM {self.kind}_months",
            f"INSERT INTO {self.kind}_counts ({columns}) SELECT {columns} FROM ({counted} {self._grouped()})",
            f"INSERT INTO {self.kind}_months ({self.key}, month, papers) {self._by_month()}",
        )

    def recounts(self) -> dict[str, tuple[str, str]]:
        """Return by table what it should hold, and what it does, as queries."""
        counts, months = f"{self.kind}_counts", f"{self.kind}_months"
        return {
            counts: (
                f"SELECT {self.key}, {_PAPERS} {self._grouped()}",
                f"SELECT {self.key}, papers FROM {counts}",
            ),
            months: (self._by_month(), f"SELECT {self.key}, month, papers FROM {months}"),
        }

    def _grouped(self) -> str:
        return f"FROM {self.rows} WHERE {self.key} <> '' GROUP BY {self.key}"

    def _by_month(self) -> str:
        return (
            f"SELECT {self.key}, {_MONTH.format('papers')}, {_PAPERS} FROM {self.rows}"
            f" JOIN papers ON papers.id = paper_id WHERE {self.key} <> '' GROUP BY 1, 2"
        )

    def _is_only(self, row: str) -> str:
        """Return whether `row` is the paper's only one of its name."""
        return (
            f"{row}.{self.key} <> '' AND NOT EXISTS (SELECT 1 FROM {self.rows} AS other"
            f" WHERE other.paper_id = {row}.paper_id AND other.{self.key} = {row}.{self.key} AND other.id <> {row}.id)"
        )

    def _add(self) -> str:
        columns = f"{self.key}, {self.shown}" if self.shown else self.key
        values = f"NEW.{self.key}, NEW.{self.shown}" if self.shown else f"NEW.{self.key}"
        return f"""
INSERT INTO {self.kind}_counts ({columns}, papers) SELECT {values}, 1 WHERE {self._is_only("NEW")}
  ON CONFLICT ({self.key}) DO UPDATE SET papers = papers + 1;
INSERT INTO {self.kind}_months ({self.key}, month, papers)
  SELECT NEW.{self.key}, {_MONTH.format("papers")}, 1 FROM papers
  WHERE papers.id = NEW.paper_id AND {self._is_only("NEW")}
  ON CONFLICT ({self.key}, month) DO UPDATE SET papers = papers + 1;"""

    def _take(self) -> str:
        return f"""
UPDATE {self.kind}_counts SET papers = papers - 1 WHERE {self.key} = OLD.{self.key} AND {self._is_only("OLD")};
DELETE FROM {self.kind}_counts WHERE {self.key} = OLD.{self.key} AND papers <= 0;
UPDATE {self.kind}_months SET papers = papers - 1 WHERE {self.key} = OLD.{self.key} AND {self._is_only("OLD")}
  AND month = (SELECT {_MONTH.format("papers")} FROM papers WHERE papers.id = OLD.paper_id);
DELETE FROM {self.kind}_months WHERE {self.key} = OLD.{self.key} AND papers <= 0;"""

    def _move(self) -> str:
        names = f"(SELECT DISTINCT {self.key} FROM {self.rows} WHERE paper_id = NEW.id AND {self.key} <> '')"
        left = f"month = {_MONTH.format('OLD')} AND {self.key} IN {names}"
        return f"""
UPDATE {self.kind}_months SET papers = papers - 1 WHERE {left};
DELETE FROM {self.kind}_months WHERE {left} AND papers <= 0;
INSERT INTO {self.kind}_months ({self.key}, month, papers)
  SELECT {self.key}, {_MONTH.format("NEW")}, 1 FROM {names} WHERE true
  ON CONFLICT ({self.key}, month) DO UPDATE SET papers = papers + 1;"""


_KINDS = (
    _Counted("tag", rows="paper_tags", key="folded", shown="tag"),
    _Counted("author", rows="paper_authors", key="name"),
)
TRIGGERS = {name: sql for kind in _KINDS for name, sql in kind.triggers().items()}
FILL = tuple(statement for kind in _KINDS for statement in kind.fill())
RECOUNTS = {table: queries for kind in _KINDS for table, queries in kind.recounts().items()}
