"""The steps of the trial. Each returns a sentence in the page's language, and raises where something is wrong."""

import sqlite3
import tempfile
import time
from contextlib import closing
from functools import partial

from django.conf import settings
from django.db import connection
from django.utils.translation import gettext as _

from operations.agent.installation import agent_state, configured_agent
from operations.agent.probe import UNREACHABLE, llm_problem
from operations.agent.runner import run_agent
from operations.calendar import utc_today
from operations.disk_use import disk_use
from operations.http.errors import TooLarge
from operations.http.patience import Patience
from operations.locks import hold
from operations.models import Task
from operations.sources.arxiv import arxiv_client, fetch_records
from operations.sources.huggingface import fetch_day_pages, huggingface_client
from operations.trial.in_time import in_time
from papers.models import Paper

# Seconds after which a step is given up, whatever it waits for.
_LONGEST = 20.0
# One attempt: a trial tells how it is now, not how it is after patience.
_PATIENCE = Patience(connect=5, read=8, total=8, attempts=1)
# Seconds in which arXiv's pace must leave a turn; with the request itself a step stays within its time.
_TURN_WITHIN = 10.0
# Seconds for the write lock, and for SQLite's own check, of which a large database is given up half-way.
_LOCK_WITHIN = 5.0
_CHECK_WITHIN = 10.0
_OPERATIONS_BETWEEN_LOOKS = 10_000
# The beginning of a paper's source is enough to know that it can be had.
_SOURCE_BYTES = 64 * 1024
# For a library without papers: a paper that will not go away.
_KNOWN_PAPER = "1706.03762"
# Seconds for an answer; ending the agent afterwards takes a few more.
_ANSWER_WITHIN = 50.0
_QUESTION = 'Answer with exactly this JSON object and nothing else: {"ok": true}\n'
_ANSWER_SHOWN = 200
_HELD_KEY = "trial"


class StepFailed(Exception):
    """The step found something wrong; the message is for people, in the page's language."""


# ---------------------------------------------------------------- this machine


def data_folder() -> str:
    """Write a file into DATA_DIR, and say how much room is left."""
    try:
        with tempfile.NamedTemporaryFile(dir=settings.PAPERSITE.data_dir, prefix=".trial-") as file:
            file.write(b"x" * 4096)
            file.flush()
    except OSError as error:
        raise StepFailed(_("写不进去：%(reason)s") % {"reason": error.strerror or error}) from error
    free = disk_use().free
    return _("可以写入，剩余 %(size)d MB。") % {"size": (free or 0) // 1024**2}


def database() -> str:
    """Take the write lock and give it back, then let SQLite look through the file for a while."""
    path = str(connection.settings_dict["NAME"])
    try:
        with closing(sqlite3.connect(path, timeout=_LOCK_WITHIN, isolation_level=None)) as own:
            own.execute("BEGIN IMMEDIATE")
            own.execute("ROLLBACK")
            return _quick_check(own)
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            raise StepFailed(_("%(seconds)d 秒内没有取得写锁。") % {"seconds": _LOCK_WITHIN}) from error
        raise StepFailed(_("数据库打不开：%(reason)s") % {"reason": error}) from error
    except sqlite3.DatabaseError as error:
        raise StepFailed(_("数据库已损坏：%(reason)s") % {"reason": error}) from error


def _quick_check(own: sqlite3.Connection) -> str:
    end = time.monotonic() + _CHECK_WITHIN
    own.set_progress_handler(lambda: int(time.monotonic() > end), _OPERATIONS_BETWEEN_LOOKS)
    try:
        fault = own.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.OperationalError as error:
        if "interrupted" not in str(error):
            raise
        return _("可以写入；检查了 %(seconds)d 秒，没有发现问题（没有查完）。") % {"seconds": _CHECK_WITHIN}
    if fault != "ok":
        raise StepFailed(_("数据库已损坏：%(reason)s") % {"reason": fault[:200]})
    return _("可以写入，检查没有发现问题。")


# ---------------------------------------------------------------- the sources


def huggingface() -> str:
    """Ask for the first page of today's list."""
    return in_time(_LONGEST, _ask_huggingface)


def _ask_huggingface() -> str:
    with huggingface_client(patience=_PATIENCE) as client:
        page = next(fetch_day_pages(client, utc_today()), None)
    if page is None:
        return _("有应答；今天还没有列出论文。")
    return _("有应答；今天的第一页有 %(papers)d 篇。") % {"papers": len(page.entries)}


def _known_paper() -> str:
    newest = Paper.objects.order_by("-paper_date", "-upvotes", "id").values_list("arxiv_id", flat=True).first()
    return newest or _KNOWN_PAPER


def arxiv_api() -> str:
    """Ask arXiv's API about one paper that is known here."""
    return in_time(_LONGEST, partial(_ask_arxiv, _known_paper()))


def _ask_arxiv(arxiv_id: str) -> str:
    with arxiv_client(patience=_PATIENCE, give_up_after=_TURN_WITHIN) as client:
        record = fetch_records(client, [arxiv_id]).get(arxiv_id)
    if record is None:
        raise StepFailed(_("有应答，但不认识 %(id)s。请检查设置中的地址。") % {"id": arxiv_id})
    return _("有应答：%(id)s，版本 %(version)s。") % {"id": arxiv_id, "version": record.version or "?"}


def arxiv_files() -> str:
    """Ask for the source of one paper that is known here, without reading more than its beginning."""
    return in_time(_LONGEST, partial(_ask_for_source, _known_paper()))


def _ask_for_source(arxiv_id: str) -> str:
    url = f"{settings.PAPERSITE.arxiv_url}/e-print/{arxiv_id}"
    with arxiv_client(patience=_PATIENCE, give_up_after=_TURN_WITHIN) as client:
        try:
            client.get(url, limit_bytes=_SOURCE_BYTES)
        except TooLarge:  # it is there, and nobody wants it whole
            return _("可以下载：%(id)s。") % {"id": arxiv_id}
    return _("可以下载：%(id)s。") % {"id": arxiv_id}


# ---------------------------------------------------------------- the agent


def agent_installed() -> str:
    """Look for the agent and what it needs."""
    state = agent_state()
    if not state.ok:
        raise StepFailed(state.message)
    return state.message


def model() -> str:
    """Ask the model's server for its list of models, where its address is known."""
    configuration = settings.PAPERSITE
    if configuration.agent_command:
        return _("使用自定义智能体，模型由它自己访问；请看“智能体真的回答”。")
    if not configuration.llm_url:
        return _("没有设置 PAPERSITE_LLM_URL，地址由智能体决定；请看“智能体真的回答”。")
    problem = in_time(_LONGEST, llm_problem)
    if problem == UNREACHABLE:
        raise StepFailed(_("模型服务连接不上。请检查 PAPERSITE_LLM_URL 和网络。"))
    if problem:
        raise StepFailed(_("模型服务拒绝了密钥。请检查 PAPERSITE_LLM_KEY。"))
    return _("模型服务有应答。")


def agent_answers() -> str:
    """Put a tiny question to the agent; one at a time, since it costs tokens."""
    seconds = min(_ANSWER_WITHIN, settings.PAPERSITE.agent_timeout)
    with hold(Task.SCHEDULER, _HELD_KEY):
        run = run_agent(configured_agent(), _QUESTION, timeout=seconds)
    answer = " ".join(run.stdout.split())
    if not answer:
        raise StepFailed(_("智能体正常结束，但什么也没有说。"))
    return _("它说：%(answer)s") % {"answer": answer[:_ANSWER_SHOWN]}
