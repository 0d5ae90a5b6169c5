"""Changes the owner makes: by a form of a page, or by a script that wants no new page."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from papers.addresses import paper_address
from papers.arxiv_ids import is_arxiv_id
from papers.markdown import markdown_html
from papers.pages.mine.access import wants_json, writing_page
from papers.personal import verbs
from papers.personal.errors import NoteConflict, TooLong, UnknownPaper, UnknownReadingStatus
from papers.personal.marks import personal_paper
from papers.text import without_controls

Change = Callable[[HttpRequest, str], HttpResponse]


def _change(view: Change) -> Callable[..., Any]:
    """Make `view` one that changes something on a paper, and say in words or JSON why it did not."""

    @wraps(view)
    def changed(request: HttpRequest, arxiv_id: str) -> HttpResponse:
        if not is_arxiv_id(arxiv_id):
            return _no_paper(request)
        try:
            return view(request, arxiv_id)
        except UnknownPaper:
            return _no_paper(request)
        except UnknownReadingStatus:
            return _refused(request, _("没有这种阅读状态。"), "unknown_status", 400)
        except TooLong as error:
            text = _("最多可以写 %(longest)s 个字符，这里有 %(length)s 个，没有保存。")
            return _refused(request, text % {"longest": error.longest, "length": error.length}, "too_long", 413)

    return writing_page(changed)


@_change
def bookmark(request: HttpRequest, arxiv_id: str) -> HttpResponse:
    """Bookmark the paper, with the note that came along if one did, or take the bookmark off."""
    if request.POST.get("bookmark") == "off":
        verbs.remove_bookmark(arxiv_id)
    else:
        verbs.set_bookmark(arxiv_id, note=request.POST.get("bookmark_note"))
    return _done(request, arxiv_id)


@_change
def reading_status(request: HttpRequest, arxiv_id: str) -> HttpResponse:
    """Set how far the paper has been read."""
    verbs.set_reading_status(arxiv_id, request.POST.get("status", ""))
    return _done(request, arxiv_id)


@_change
def skimmed(request: HttpRequest, arxiv_id: str) -> HttpResponse:
    """Take notice that the summary was read to its end."""
    verbs.mark_skimmed(arxiv_id)
    return _done(request, arxiv_id)


@_change
def note(request: HttpRequest, arxiv_id: str) -> HttpResponse:
    """Save the note; where it was changed elsewhere, show both texts and write nothing."""
    content = request.POST.get("content", "")
    try:
        saved = verbs.save_note(arxiv_id, content, based_on=request.POST.get("based_on", ""))
    except NoteConflict as conflict:
        return _conflict(request, arxiv_id, content, conflict)
    if wants_json(request):
        at = saved.saved_at.isoformat() if saved.saved_at else None
        return JsonResponse({"version": saved.version, "saved_at": at})
    return _back(request, arxiv_id)


@writing_page
def preview(request: HttpRequest) -> HttpResponse:
    """Answer how a note will look, as HTML that was cleaned; nothing is stored."""
    content = request.POST.get("content", "")[: verbs.LONGEST_NOTE]
    return JsonResponse({"html": markdown_html(without_controls(content))})


def _conflict(request: HttpRequest, arxiv_id: str, written: str, found: NoteConflict) -> HttpResponse:
    stored = {"content": found.stored, "version": found.version}
    if wants_json(request):
        return JsonResponse({"code": "conflict", **stored}, status=409)
    context = {"arxiv_id": arxiv_id, "written": written, "stored": stored}
    return render(request, "papers/mine/note_conflict.html", context, status=409)


def _done(request: HttpRequest, arxiv_id: str) -> HttpResponse:
    if not wants_json(request):
        return _back(request, arxiv_id)
    mine = personal_paper(arxiv_id)
    if mine is None:
        raise UnknownPaper(arxiv_id)
    return JsonResponse({"bookmarked": mine.is_bookmarked, "bookmark_note": mine.bookmark_note, "status": mine.status})


def _back(request: HttpRequest, arxiv_id: str) -> HttpResponse:
    """Go back to the page of the form, to the paper in it; without one, to the paper's own page."""
    address = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(address, {request.get_host()}, require_https=request.is_secure()):
        address = paper_address(arxiv_id)
    return HttpResponseRedirect(f"{address.partition('#')[0]}#{_place(arxiv_id)}")


def _place(arxiv_id: str) -> str:
    return f"mine-{arxiv_id}"


def _no_paper(request: HttpRequest) -> HttpResponse:
    if not wants_json(request):
        raise Http404("there is no such paper")
    return JsonResponse({"code": "no_paper"}, status=404)


def _refused(request: HttpRequest, text: str, code: str, status: int) -> HttpResponse:
    if wants_json(request):
        return JsonResponse({"code": code, "detail": text}, status=status)
    context = {"detail": text, "text": request.POST.get("content", "")}
    return render(request, "papers/mine/refused.html", context, status=status)
