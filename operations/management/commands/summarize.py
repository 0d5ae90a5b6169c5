"""Makes summaries in the foreground."""

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from operations import states
from operations.attempt import Outcome
from operations.command_line import FAILED, LOCKED, WRONG_USE, date_argument, working
from operations.maintenance import raise_if_on
from operations.pauses import WorkPaused
from operations.summarize import SummaryRun, summarize_waiting
from papers.arxiv_ids import InvalidArxivId, split_arxiv_id
from papers.models import Paper, SummaryState, SummaryStatus


class Command(BaseCommand):
    """`summarize [--date D | --paper ID … | --limit N]`."""

    help = (
        "Summarise what waits, and failed papers that may be retried, newest day first; no worker is needed. "
        "--paper takes papers in any state and starts their count anew. Exit code: 0 all well, 1 a paper failed or "
        "the work is paused, 2 wrong use, 3 a paper is in work elsewhere."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the choice of papers."""
        parser.add_argument("--date", type=date_argument, metavar="D", help="papers filed under this day only")
        parser.add_argument("--paper", nargs="+", metavar="ID", help="these papers, in whatever state they are")
        parser.add_argument("--limit", type=int, metavar="N", help="at most so many papers")

    def handle(self, *args, **options) -> None:
        """Summarise, telling of each paper as it ends."""
        with working():
            raise_if_on()
            paper_ids = self._check(options)
            bar = tqdm(total=self._expected(options, paper_ids), unit="paper", disable=None)
            try:
                run = summarize_waiting(
                    date=options["date"],
                    paper_ids=paper_ids,
                    limit=options["limit"],
                    told=lambda outcome: self._tell(bar, outcome),
                )
            except WorkPaused as error:
                run = SummaryRun(paused=str(error))
            finally:
                bar.close()
        self._conclude(run)

    def _check(self, options: dict) -> list[int] | None:
        if options["paper"] is not None and (options["date"] or options["limit"] is not None):
            raise CommandError("--paper does not go with --date and --limit", returncode=WRONG_USE)
        if options["limit"] is not None and options["limit"] < 0:
            raise CommandError("--limit must not be negative", returncode=WRONG_USE)
        return self._papers(options["paper"]) if options["paper"] is not None else None

    def _papers(self, texts: list[str]) -> list[int]:
        try:
            ids = list(dict.fromkeys(split_arxiv_id(text)[0] for text in texts))
        except InvalidArxivId as error:
            raise CommandError(str(error), returncode=WRONG_USE) from None
        known = dict(Paper.objects.filter(arxiv_id__in=ids).values_list("arxiv_id", "pk"))
        missing = [arxiv_id for arxiv_id in ids if arxiv_id not in known]
        if missing:
            raise CommandError(f"not stored here: {', '.join(missing)} (add_paper adds papers)", returncode=FAILED)
        return [known[arxiv_id] for arxiv_id in ids]

    def _expected(self, options: dict, paper_ids: list[int] | None) -> int:
        if paper_ids is not None:
            return len(paper_ids)
        waiting = SummaryStatus.objects.filter(status__in=[SummaryState.PENDING, SummaryState.FAILED])
        if options["date"]:
            waiting = waiting.filter(paper__paper_date=options["date"])
        return min(waiting.count(), options["limit"] if options["limit"] is not None else waiting.count())

    def _tell(self, bar: "tqdm", outcome: Outcome) -> None:
        with tqdm.external_write_mode():
            self._write(outcome)
        if outcome.state != SummaryState.FAILED:
            bar.update()

    def _write(self, outcome: Outcome) -> None:
        if outcome.error_type is None:
            self.stdout.write(f"{outcome.arxiv_id}: done, {outcome.quality} ({outcome.seconds:.1f} s)")
        else:
            again = " (will be tried once more)" if outcome.state == SummaryState.FAILED else ""
            self.stderr.write(f"{outcome.arxiv_id}: {outcome.error_type}: {outcome.error}{again}")

    def _conclude(self, run: SummaryRun) -> None:
        self.stdout.write(f"{run.done} summarised, {len(run.failed)} failed, {states.due().count()} waiting.")
        if run.limited:
            self.stdout.write("The limit of summaries for today is reached; the rest waits for tomorrow.")
        if run.paused:
            raise CommandError(f"paused, the papers stay pending: {run.paused}", returncode=FAILED)
        if run.failed:
            raise CommandError(f"{len(run.failed)} papers failed", returncode=FAILED)
        if run.locked:
            raise CommandError(f"in work elsewhere: {', '.join(run.locked)}", returncode=LOCKED)
