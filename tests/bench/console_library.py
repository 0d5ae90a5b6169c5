"""What a site has gathered after years with 63,000 papers: tags, failures, logs, locks, listings, private rows.

Everything is made from the papers by one statement for each table, the same at every run.
"""

import pickle
from base64 import b64encode

from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.db import connection, transaction

from papers.models import ErrorType

# Tags of a paper beside its categories, as Hugging Face and an agent give them, of so many different ones.
_TAGS, _VOCABULARY = 12, 3000
_ERROR = "the agent said a long sentence about what went wrong with this paper. "


def fill_console() -> dict[str, int]:
    """Fill every table that the admin lists beside the papers themselves; return how many rows each has."""
    user = User.objects.create_superuser("bench", password=None)
    with transaction.atomic(), connection.cursor() as cursor:
        for statement, parameters in _statements(user.pk):
            cursor.execute(statement, parameters)
    return {table: _count(table) for table in _TABLES}


_TABLES = (
    "papers",
    "paper_authors",
    "paper_tags",
    "paper_summaries",
    "summary_status",
    "crawl_logs",
    "task_locks",
    "day_listings",
    "deleted_papers",
    "django_admin_log",
    "user_notes",
    "django_q_task",
)


def _count(table: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM {table}")
        return cursor.fetchone()[0]


def _statements(user_id: int) -> list[tuple[str, list]]:
    return [
        *_tags(),
        *_states(),
        *_logs_and_locks(),
        *_listings(),
        *_private(),
        *_audit(user_id),
        *_queue(),
    ]


def _tags() -> list[tuple[str, list]]:
    numbers = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %s - 1)"
    tag = f"'topic ' || ((p.id * 7919 + n.i * 104729) %% {_VOCABULARY})"
    return [
        (
            f"INSERT INTO paper_tags (paper_id, tag, source, folded) {numbers}"
            f" SELECT p.id, {tag}, CASE WHEN n.i < 5 THEN 'hf' ELSE 'ai' END, {tag} FROM papers p, n",
            [_TAGS],
        )
    ]


def _states() -> list[tuple[str, list]]:
    """Give every fiftieth paper a failure, others a state on its way or an error beside an old summary."""
    kinds = " ".join(f"WHEN {number} THEN '{kind}'" for number, kind in enumerate(ErrorType.values))
    kind = f"CASE (paper_id / 50) %% {len(ErrorType.values)} {kinds} END"
    begun = "datetime('2026-06-05', '-' || (paper_id %% 40000) || ' minutes')"
    return [
        (f"UPDATE summary_status SET started_at = {begun}, completed_at = {begun}", []),
        (f"UPDATE paper_summaries SET updated_at = {begun}", []),
        (
            f"UPDATE summary_status SET status = 'permanent_failure', quality = NULL, error_type = {kind}, error = %s"
            " WHERE paper_id %% 50 = 0",
            [_ERROR * 8],
        ),
        (f"UPDATE summary_status SET error_type = {kind}, error = %s WHERE paper_id %% 90 = 1", [_ERROR]),
        ("UPDATE summary_status SET status = 'pending', completed_at = NULL WHERE paper_id %% 100 = 3", []),
        ("UPDATE summary_status SET quality = 'degraded' WHERE status = 'done' AND paper_id %% 20 = 7", []),
        ("UPDATE summary_status SET quality = 'low' WHERE status = 'done' AND paper_id %% 60 = 9", []),
        (
            "DELETE FROM paper_summaries WHERE paper_id IN (SELECT paper_id FROM summary_status WHERE status <> 'done')",
            [],
        ),
        ("UPDATE papers SET is_withdrawn = 1 WHERE id %% 900 = 4", []),
        (
            "UPDATE papers SET summary_quality ="
            " (SELECT s.quality FROM summary_status s WHERE s.paper_id = papers.id), asset_status = 'cleaned'",
            [],
        ),
    ]


def _logs_and_locks() -> list[tuple[str, list]]:
    begun = "datetime('2026-06-05', '-' || (id * 13) || ' minutes')"
    ended = "datetime('2026-06-05', '-' || (id * 13 - 4) || ' minutes')"
    owner = "'host:' || id || ':1@boot:1'"
    return [
        (
            "INSERT INTO crawl_logs (task, status, date, papers_found, papers_new, error, started_at, completed_at,"
            f" owner, detail) SELECT CASE WHEN id %% 8 = 0 THEN 'crawl' ELSE 'summarize' END,"
            f" CASE WHEN id %% 25 = 0 THEN 'failed' ELSE 'success' END, paper_date, 1, 1,"
            f" CASE WHEN id %% 25 = 0 THEN %s END, {begun}, {ended}, {owner}, arxiv_id || ' normal' FROM papers",
            [_ERROR * 8],
        ),
        (
            "INSERT INTO task_locks (task, lock_key, status, owner, acquired_at, released_at, log_id)"
            f" SELECT 'summarize', arxiv_id, 'finished', {owner}, {begun}, {ended}, id FROM papers",
            [],
        ),
        (
            "INSERT INTO task_locks (task, lock_key, status, owner, acquired_at)"
            f" SELECT 'summarize', arxiv_id, 'running', {owner}, {begun} FROM papers WHERE id <= 4",
            [],
        ),
        (
            "INSERT INTO arxiv_requests (arxiv_id, kind, state, requested_by, requested_at, completed_at)"
            f" SELECT arxiv_id, 'refresh', 'done', 'bench', {begun}, {ended} FROM papers WHERE id %% 10 = 0",
            [],
        ),
        (
            "INSERT INTO crawl_jobs (status, requested_by, started_at, completed_at)"
            f" SELECT 'success', 'bench', {begun}, {ended} FROM papers WHERE id %% 300 = 0",
            [],
        ),
        (
            "INSERT INTO data_delete_jobs (date_start, date_end, status, started_at, completed_at)"
            f" SELECT paper_date, paper_date, 'success', {begun}, {ended} FROM papers WHERE id %% 600 = 0",
            [],
        ),
    ]


def _listings() -> list[tuple[str, list]]:
    return [
        (
            "INSERT INTO day_listings (date, entry_key, arxiv_id, skipped_reason, first_seen_at)"
            " SELECT paper_date, arxiv_id, arxiv_id, CASE WHEN id %% 400 = 0 THEN 'no title' END, crawled_at FROM papers",
            [],
        ),
        (
            "INSERT INTO deleted_papers (arxiv_id, paper_date, deleted_at)"
            " SELECT arxiv_id, paper_date, crawled_at FROM papers WHERE id %% 10 = 5",
            [],
        ),
    ]


def _private() -> list[tuple[str, list]]:
    some = "FROM papers WHERE id %% 10 = 1"
    return [
        (
            "INSERT INTO user_notes (paper_id, content, created_at, updated_at)"
            f" SELECT id, %s || id, crawled_at, crawled_at {some}",
            [_ERROR * 10],
        ),
        (f"INSERT INTO user_bookmarks (paper_id, note, created_at) SELECT id, 'x', crawled_at {some}", []),
        (f"INSERT INTO user_reading_status (paper_id, status, updated_at) SELECT id, 'skimmed', crawled_at {some}", []),
    ]


def _audit(user_id: int) -> list[tuple[str, list]]:
    paper = ContentType.objects.get(app_label="papers", model="paper").pk
    return [
        (
            "INSERT INTO django_admin_log (action_time, object_id, object_repr, action_flag, change_message,"
            " content_type_id, user_id) SELECT datetime('2026-06-05', '-' || (id * 13) || ' minutes'), id, arxiv_id, 2,"
            " '重新运行总结', %s, %s FROM papers",
            [paper, user_id],
        )
    ]


def _queue() -> list[tuple[str, list]]:
    nothing = b64encode(pickle.dumps(())).decode()
    return [
        (
            "INSERT INTO django_q_task (id, name, func, args, kwargs, result, started, stopped, success, attempt_count,"
            " \"group\", cluster, hook) SELECT printf('%%032x', id), 'summarize', 'operations.tasks.summarize', %s, %s, %s,"
            " datetime('2026-06-05', '-' || (id * 13) || ' minutes'),"
            " datetime('2026-06-05', '-' || (id * 13 - 4) || ' minutes'), id %% 20 <> 0, 1, NULL, NULL, NULL"
            " FROM papers WHERE id %% 3 = 0",
            [nothing, nothing, nothing],
        )
    ]
