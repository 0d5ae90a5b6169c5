"""States and grades of summaries, against the summaries there are."""

from collections.abc import Iterator

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from operations import states
from operations.checks.problem import Problem
from operations.checks.summary_reading import checked_column, read_back
from papers.models import Paper, PaperSummary, SummaryQuality, SummaryState, SummaryStatus


def problems() -> Iterator[Problem]:
    """Yield papers without a state, done without a summary, or graded in two ways."""
    for arxiv_id in _ids(_without_status()):
        yield Problem("statuses", f"{arxiv_id} has no status row")
    for arxiv_id in _ids(_done_without_summary()):
        yield Problem("statuses", f"{arxiv_id} is done, but has no summary")
    for arxiv_id in _ids(_graded_apart()):
        yield Problem("statuses", f"the quality of {arxiv_id} differs between papers and summary_status")


def repair() -> Iterator[str]:
    """Give each paper the state and the grade that its summary, or its summary.json, calls for."""
    yield from _each(_without_status(), _add_status)
    yield from _each(_done_without_summary(), _find_summary)
    yield from _each(_graded_apart(), _grade_again)


def _ids(papers: QuerySet[Paper]) -> list[str]:
    return list(papers.values_list("arxiv_id", flat=True))


def _each(papers: QuerySet[Paper], mend) -> Iterator[str]:
    """Mend paper by paper, each looked at once more under the write lock."""
    for paper_id in list(papers.values_list("pk", flat=True)):
        with transaction.atomic():
            paper = papers.filter(pk=paper_id).first()
            told = mend(paper) if paper else None
        if told:
            yield told


def _has_summary() -> Exists:
    return Exists(PaperSummary.objects.filter(paper_id=OuterRef("pk")))


def _without_status() -> QuerySet[Paper]:
    return Paper.objects.filter(status__isnull=True).order_by("id")


def _done_without_summary() -> QuerySet[Paper]:
    return Paper.objects.filter(~_has_summary(), status__status=SummaryState.DONE).order_by("id")


def _graded_apart() -> QuerySet[Paper]:
    """Return papers with a summary and no grade, or two; and without a summary, but graded."""
    ungraded = Q(summary_quality__isnull=True) | Q(status__quality__isnull=True)
    two_grades = ~Q(summary_quality=F("status__quality"))
    graded = Q(summary_quality__isnull=False) | Q(status__quality__isnull=False)
    apart = (Q(_has_summary()) & (ungraded | two_grades)) | (~Q(_has_summary()) & graded)
    # A paper that is done without its summary is told, and mended, as that.
    return Paper.objects.filter(apart, status__isnull=False).exclude(_lost()).order_by("id")


def _lost() -> Q:
    return ~Q(_has_summary()) & Q(status__status=SummaryState.DONE)


def _add_status(paper: Paper) -> str:
    stored = PaperSummary.objects.filter(paper=paper).first()
    if stored is None:
        states.add_missing([paper.pk])
        quality = read_back(paper)
        return f"{paper.arxiv_id} had no status row: " + ("done again" if quality else "it waits for its summary now")
    quality = _quality(paper, stored)
    saved = bool(paper.raw_output_path)
    states.restore_done(paper.pk, quality, raw_output_saved=saved, completed_at=stored.updated_at)
    Paper.objects.filter(pk=paper.pk).update(summary_quality=quality)
    return f"{paper.arxiv_id} had no status row: done"


def _find_summary(paper: Paper) -> str:
    quality = read_back(paper)
    if quality:
        return f"read the summary of {paper.arxiv_id} back from its file"
    states.rerun([paper.pk])
    Paper.objects.filter(pk=paper.pk).update(summary_quality=None, summary_path=None)
    SummaryStatus.objects.filter(paper=paper).update(quality=None)
    return f"{paper.arxiv_id} was done without a summary: it waits for one now"


def _grade_again(paper: Paper) -> str:
    stored = PaperSummary.objects.filter(paper=paper).first()
    quality = _quality(paper, stored) if stored else None
    Paper.objects.filter(pk=paper.pk).update(summary_quality=quality)
    SummaryStatus.objects.filter(paper=paper).update(quality=quality)
    return f"graded {paper.arxiv_id} again: {quality or 'no summary'}"


def _quality(paper: Paper, stored: PaperSummary) -> str:
    """Return the grade by today's rules; for one that would not pass them, what was noted, else the worst."""
    checked = checked_column(paper, stored)
    if checked:
        return checked.quality
    status = SummaryStatus.objects.filter(paper=paper).first()
    return paper.summary_quality or (status and status.quality) or SummaryQuality.LOW
