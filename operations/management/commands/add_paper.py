"""Adds papers by their arXiv ids."""

from django.core.management.base import BaseCommand, CommandError, CommandParser

from operations.addition import PaperUnknown, add_papers
from operations.command_line import FAILED, WRONG_USE, working
from operations.http.errors import SourceError
from operations.maintenance import raise_if_on
from papers.arxiv_ids import InvalidArxivId, split_arxiv_id


class Command(BaseCommand):
    """`add_paper ID …`."""

    help = (
        "Add papers by arXiv id, of any kind and from arXiv alone, filed under today (UTC); a known id is refreshed "
        "and keeps its day. Exit code: 0 all well, 1 an id is unknown to arXiv or arXiv cannot be reached, 2 wrong use."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take one or more ids."""
        parser.add_argument("ids", nargs="+", metavar="ID", help="such as 2406.01234, hep-th/9901001 or an address")

    def handle(self, *args, **options) -> None:
        """Add them all; unknown ones cost the others nothing."""
        try:
            ids = [split_arxiv_id(text)[0] for text in options["ids"]]
        except InvalidArxivId as error:
            raise CommandError(str(error), returncode=WRONG_USE) from None
        with working():
            raise_if_on()
            try:
                added = add_papers(ids)
            except PaperUnknown as error:
                self._tell(error.added)
                raise CommandError(str(error), returncode=FAILED) from None
            except SourceError as error:
                raise CommandError(f"arXiv cannot be asked: {error}", returncode=FAILED) from None
        self._tell(added)

    def _tell(self, added: dict[str, bool]) -> None:
        for arxiv_id, is_new in added.items():
            self.stdout.write(f"{arxiv_id}: {'added' if is_new else 'refreshed'}")
