"""The store of rendered pages: bounded, and not to be emptied by who asks for much."""

import gzip

import pytest

from papers.pages.kept_pages import KeptPage, KeptPages

SIZE = 30_000
ROOM = 40  # pages


def a_page(version: int = 1, size: int = SIZE) -> KeptPage:
    return KeptPage(version, b"x" * size, ())


@pytest.fixture
def pages() -> KeptPages:
    return KeptPages(ROOM * a_page().size)


def test_a_page_is_found_under_its_version_alone(pages):
    pages.keep(("/",), a_page(7))
    assert pages.get(("/",), 7) is not None
    assert pages.get(("/",), 8) is None


def test_a_newer_page_takes_the_place_of_the_older(pages):
    pages.keep(("/",), a_page(7))
    pages.get(("/",), 7)
    pages.keep(("/",), a_page(8))
    assert pages.get(("/",), 7) is None and pages.get(("/",), 8) is not None
    assert pages.bytes == a_page().size


def test_there_is_never_more_than_the_room(pages):
    for number in range(1000):
        pages.keep((str(number),), a_page())
        if number % 3:
            pages.get((str(number),), 1)
        assert pages.bytes <= ROOM * a_page().size


def test_whoever_walks_through_everything_pushes_out_nothing_that_people_come_back_to(pages):
    pages.keep(("/",), a_page())
    pages.get(("/",), 1)
    for number in range(1000):
        pages.keep((str(number),), a_page())
    assert pages.get(("/",), 1) is not None


def test_the_page_asked_for_the_longest_ago_goes_first(pages):
    for number in range(ROOM):
        pages.keep((number,), a_page())
        pages.get((number,), 1)
    pages.get((0,), 1)
    for number in range(ROOM, 2 * ROOM - 5):
        pages.keep((number,), a_page())
        pages.get((number,), 1)
    assert pages.get((0,), 1) is None or pages.get((1,), 1) is None
    assert pages.get((2 * ROOM - 6,), 1) is not None


def test_a_page_that_would_leave_no_room_for_others_is_not_kept(pages):
    pages.keep(("/",), a_page(size=ROOM * SIZE // 4))
    assert pages.get(("/",), 1) is None and pages.bytes == 0


def test_nothing_is_kept_without_room():
    pages = KeptPages(0)
    pages.keep(("/",), a_page(size=1))
    assert pages.get(("/",), 1) is None


def test_the_same_page_is_compressed_to_the_same_bytes():
    page = a_page()
    assert gzip.decompress(page.compressed) == page.body
    assert a_page().compressed == page.compressed
    assert len(page.compressed) <= page.size - len(page.body)


def test_what_is_tiny_is_not_compressed():
    assert a_page(size=10).compressed is None
