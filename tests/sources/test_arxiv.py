import re
from urllib.parse import parse_qs, urlsplit

import pytest

from operations.http.errors import NotFound, Refused, SourceUnavailable, TooLarge, UnexpectedAnswer
from operations.sources import arxiv
from operations.sources.arxiv import arxiv_client, download_pdf, download_source, fetch_records
from papers.arxiv_ids import InvalidArxivId
from tests.sources.test_arxiv_atom import entry, feed


def asked(request) -> dict[str, str]:
    return {name: values[-1] for name, values in parse_qs(urlsplit(request.path).query).items()}


def ids_asked(request) -> list[str]:
    return asked(request)["id_list"].split(",")


def known(request):
    request.reply(feed(*map(entry, ids_asked(request))))


def refusing(*malformed, names_it=True):
    """Answer as arXiv does: one malformed id, and the whole call is refused."""

    def answer(request):
        bad = [arxiv_id for arxiv_id in ids_asked(request) if arxiv_id in malformed]
        if not bad:
            return known(request)
        error = (
            f"<entry><id>https://arxiv.org/api/errors#incorrect_id_format_for_{bad[0]}</id><title>Error</title></entry>"
        )
        return request.reply(feed(error) if names_it else b"Bad request", 400)

    return answer


def numbered(count: int) -> list[str]:
    return [f"2406.{number:05d}" for number in range(count)]


def test_many_ids_are_asked_for_in_batches_with_their_number(source, client):
    source.answer = known
    records = fetch_records(client, numbered(230))
    assert list(records) == numbered(230)
    assert [len(ids_asked(request)) for request in source.requests] == [100, 100, 30]
    assert [asked(request)["max_results"] for request in source.requests] == ["100", "100", "30"]
    assert all(request.path.startswith("/api/query?") for request in source.requests)


def test_nobody_is_asked_about_nothing(source, client):
    assert fetch_records(client, []) == {}
    assert fetch_records(client, ["abc", "", "2406.01234x"]) == {}
    assert source.requests == []


def test_ids_are_asked_for_once_and_without_version(source, client):
    source.answer = lambda request: request.reply(feed(entry("2406.01234v5"), entry("hep-th/9901001v1")))
    records = fetch_records(client, ["2406.01234v1", "arXiv:2406.01234", "nonsense", "hep-th/9901001"])
    assert {key: record.version for key, record in records.items()} == {"2406.01234": 5, "hep-th/9901001": 1}
    assert ids_asked(source.requests[0]) == ["2406.01234", "hep-th/9901001"]


def test_unknown_ids_are_absent(source, client):
    source.answer = lambda request: request.reply(feed(entry("2406.00002v1")))
    assert list(fetch_records(client, numbered(4))) == ["2406.00002"]


def test_answers_about_other_papers_are_ignored(source, client):
    source.answer = lambda request: request.reply(feed(entry("1911.00001v1"), entry("2406.00001v1")))
    assert list(fetch_records(client, numbered(2))) == ["2406.00001"]


def test_the_newest_of_two_versions_is_taken(source, client):
    source.answer = lambda request: request.reply(feed(entry("2406.00000v3"), entry("2406.00000v1")))
    assert fetch_records(client, numbered(1))["2406.00000"].version == 3


@pytest.mark.parametrize("names_it", [True, False])
@pytest.mark.parametrize("malformed", [["2406.00000"], ["2406.00063"], ["2406.00007", "2406.00099"]])
def test_a_malformed_id_spoils_only_itself(source, client, malformed, names_it):
    source.answer = refusing(*malformed, names_it=names_it)
    assert set(fetch_records(client, numbered(100))) == set(numbered(100)) - set(malformed)
    assert len(source.requests) <= (len(malformed) + 1 if names_it else 30)


def test_a_single_malformed_id_is_absent(source, client):
    source.answer = refusing("2406.00000", names_it=False)
    assert fetch_records(client, numbered(1)) == {}


def test_an_error_entry_with_status_200_is_understood_too(source, client):
    def answer(request):
        if "2406.00001" in ids_asked(request):
            request.reply(
                feed("<entry><id>http://arxiv.org/api/errors#incorrect_id_format_for_2406.00001</id></entry>")
            )
        else:
            known(request)

    source.answer = answer
    assert list(fetch_records(client, numbered(3))) == ["2406.00000", "2406.00002"]


def test_a_source_that_refuses_everything_is_soon_left_alone(source, client):
    source.answer = lambda request: request.reply(b"<html>no</html>", 400)
    with pytest.raises(Refused):
        fetch_records(client, numbered(100))
    assert len(source.requests) <= 21


@pytest.mark.parametrize(
    ("body", "error"),
    [(b"<html></html>", UnexpectedAnswer), (b"Rate exceeded.", SourceUnavailable), (b"", UnexpectedAnswer)],
)
def test_a_wrong_body_is_asked_again_and_then_told(source, client, body, error):
    source.answer = lambda request: request.reply(body)
    with pytest.raises(error):
        fetch_records(client, numbered(1))
    assert len(source.requests) == 4


# Files


@pytest.mark.parametrize("arxiv_id", ["2406.01234", "hep-th/9901001", "math.GT/0309136", "2406.01234v2"])
def test_files_are_asked_for_by_the_whole_id(source, client, tmp_path, arxiv_id):
    source.answer = lambda request: request.reply(request.path.encode(), Content_Type="application/pdf")
    pdf = download_pdf(client, arxiv_id, tmp_path / "paper.pdf")
    archive = download_source(client, arxiv_id, tmp_path / "source")
    assert pdf.path.read_text() == f"/pdf/{arxiv_id}"
    assert archive.path.read_text() == f"/e-print/{arxiv_id}"
    assert pdf.content_type == "application/pdf"


@pytest.mark.parametrize("arxiv_id", ["../../etc/passwd", "2406.01234/../x", "", "2406.01234?x=1", "2406.01234\n#"])
def test_what_is_no_id_is_not_asked_for(source, client, tmp_path, arxiv_id):
    source.answer = lambda request: request.reply(b"x")
    with pytest.raises(InvalidArxivId):
        download_source(client, arxiv_id, tmp_path / "source")
    assert source.requests == []


def test_a_missing_file_is_not_found(source, client, tmp_path):
    source.answer = lambda request: request.reply(b"<html>", 404)
    with pytest.raises(NotFound):
        download_pdf(client, "2406.01234", tmp_path / "paper.pdf")
    assert list(tmp_path.glob("*.p*")) == []


@pytest.mark.parametrize(("download", "limit"), [(download_source, "_SOURCE_BYTES"), (download_pdf, "_PDF_BYTES")])
def test_a_file_over_the_limit_is_too_large(source, client, tmp_path, monkeypatch, download, limit):
    monkeypatch.setattr(arxiv, limit, 1000)
    source.answer = lambda request: request.reply(b"x" * 1001)
    with pytest.raises(TooLarge):
        download(client, "2406.01234", tmp_path / "file")
    assert not (tmp_path / "file").exists()


def test_the_pace_is_kept_in_the_data_folder(source, settings):
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update={"arxiv_interval": 0.01})
    source.answer = known
    with arxiv_client() as client:
        fetch_records(client, numbered(1))
    assert (settings.PAPERSITE.data_dir / "locks" / "arxiv.pace").is_file()


# Replayed


def test_replayed_papers_are_all_known(replayed_sources, recorded):
    wanted = ["hep-th/9901001", "math.GT/0309136", "0704.0156", "2504.04715", "9999.99999"]
    with arxiv_client() as client:
        records = fetch_records(client, wanted)
    assert list(records) == wanted[:-1]
    assert records["hep-th/9901001"].version == 3
    assert records["math.GT/0309136"].title == "On knots, prices of $5, and the group $G_{a,b}$"


def test_a_replayed_paper_changes(replayed_sources):
    replayed_sources.world({"versions": {"2504.04715": 4}, "withdrawn": ["0704.0156"]})
    with arxiv_client() as client:
        records = fetch_records(client, ["2504.04715", "0704.0156"])
    assert records["2504.04715"].version == 4
    assert records["0704.0156"].is_withdrawn
    assert not records["2504.04715"].is_withdrawn


@pytest.mark.parametrize("download", [download_source, download_pdf])
@pytest.mark.parametrize(
    "fault",
    [{"status": 429, "headers": {"Retry-After": "0"}}, {"status": 503}, {"hang": 3}, {"cut": 100}],
    ids=str,
)
def test_a_fault_that_passes_costs_no_file(replayed_sources, tmp_path, download, fault):
    replayed_sources.faults([{"match": "hep-th/9901001", "times": 2, **fault}])
    with arxiv_client() as client:
        downloaded = download(client, "hep-th/9901001", tmp_path / "file")
    assert re.match(rb"%PDF-|\x1f\x8b", downloaded.path.read_bytes())
    assert downloaded.size == downloaded.path.stat().st_size


@pytest.mark.parametrize("fault", [{"status": 429}, {"status": 500}, {"cut": 100}, {"status": 403}], ids=str)
def test_a_fault_that_stays_is_the_sources_trouble(replayed_sources, tmp_path, fault):
    replayed_sources.faults([{"match": "/arxiv/", **fault}])
    with arxiv_client() as client:
        with pytest.raises(SourceUnavailable):
            download_source(client, "0704.0156", tmp_path / "file")
        with pytest.raises(SourceUnavailable):
            fetch_records(client, ["0704.0156"])
    assert list(tmp_path.iterdir()) == []


def test_a_replayed_source_that_is_not_there_is_not_found(replayed_sources, tmp_path):
    replayed_sources.world({"no_source": ["0704.0156"]})
    with arxiv_client() as client:
        with pytest.raises(NotFound):
            download_source(client, "0704.0156", tmp_path / "file")
        assert download_pdf(client, "0704.0156", tmp_path / "file").path.read_bytes().startswith(b"%PDF-")
