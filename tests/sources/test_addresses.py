import pytest

from operations.sources.addresses import repository_address, web_address


@pytest.mark.parametrize(
    "typed",
    [
        "https://github.com/Owner/re.po-1",
        "https://github.com/Owner/re.po-1/",
        "https://github.com/Owner/re.po-1//",
        "https://github.com//Owner/re.po-1.git",
        "https://github.com/Owner/re.po-1.git/",
        "https://github.com/Owner/re.po-1/tree/main/sub/folder",
        "https://github.com/Owner/re.po-1/blob/main/",
        "https://github.com/Owner/re.po-1?tab=readme-ov-file",
        "https://github.com/Owner/re.po-1#readme",
        "https://github.com/\nOwner/re.po-1.git",
        " http://github.com/Owner/re.po-1 \n",
        "https://www.github.com/Owner/re.po-1",
        "HTTPS://GitHub.com/Owner/re.po-1",
        "github.com/Owner/re.po-1",
        "www.GitHub.com/Owner/re.po-1",
        "git@github.com:Owner/re.po-1.git",
        "ssh://git@github.com/Owner/re.po-1.git",
    ],
)
def test_a_github_repository_is_known_however_it_was_typed(typed):
    assert repository_address(typed) == "https://github.com/Owner/re.po-1"


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("https://gitlab.com/group/sub/repo/-/tree/main", "https://gitlab.com/group/sub/repo"),
        ("https://gitlab.com/owner/repo.git", "https://gitlab.com/owner/repo"),
        ("https://huggingface.co/owner/model/tree/main", "https://huggingface.co/owner/model"),
        ("huggingface.co/datasets/owner/data", "https://huggingface.co/datasets/owner/data"),
        ("https://huggingface.co/spaces/owner/demo?x=1", "https://huggingface.co/spaces/owner/demo"),
    ],
)
def test_a_few_other_hosts_have_repositories_too(typed, address):
    assert repository_address(typed) == address


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "coming soon",
        "https://github.com",
        "https://github.com/DFIR-Metric",
        "https://github.com/orgs/someone",
        "https://github.com/topics/llm",
        "https://github.com/owner/..",
        "https://github.com/owner/.git",
        "https://github.com/owner/<script>",
        "https://github.com.evil.org/owner/repo",
        "https://evil.org/github.com/owner/repo",
        "https://github.com@evil.org/owner/repo",
        "https://me:secret@github.com/owner/repo",
        "https://github.com:8080/owner/repo",
        "https://github.com:port/owner/repo",
        "https://[::1/owner/repo",
        "javascript:alert(1)//github.com/owner/repo",
        "ftp://github.com/owner/repo",
        "https://owner.github.io/repo",
        "https://huggingface.co/datasets/owner",
        "https://huggingface.co/papers/2406.01234",
        "owner/repo",
        "https://github.com/owner/" + "r" * 3000,
        "https://github.com/ow\ud800ner/repo",
    ],
)
def test_what_names_no_repository_is_none(typed):
    assert repository_address(typed) is None


@pytest.mark.parametrize(
    "typed", ["https://o.github.io/r", "http://example.org/a?b=c#d", "https://例子.中国/页", "https://x.org:8080/~me/"]
)
def test_a_page_is_kept_as_typed(typed):
    assert web_address(f"  {typed}\n") == typed


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "o.github.io/r",
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        "data:text/html,x",
        "//example.org/",
        "https://",
        "https:///path",
        "https://me:secret@example.org/",
        "https://example.org/a b",
        "https://example.org/\nb",
        'https://example.org/"onclick="x',
        "https://example.org/<b>",
        "https://[::1",
        "https://example.org/" + "x" * 3000,
        "https://example.org/\ud800",
    ],
)
def test_what_is_no_web_address_is_none(typed):
    assert web_address(typed) is None
