"""Whether a summary is plainly another paper's."""

import pytest

from papers.summary.errors import SummaryRejected
from papers.summary.reading import PaperFacts, check_summary
from tests.summary.samples import FACTS, good_summary

TEXT = "We train retrievers and generators jointly. RetGen beats DPR-Large on NaturalQA and TriviaSet. " * 5


def refused(changes, facts=FACTS):
    try:
        check_summary(good_summary(changes), facts)
    except SummaryRejected as problem:
        assert problem.error_type == "schema_error"
        return True
    return False


@pytest.mark.parametrize("key", ["arxiv_id", "arxiv", "paper_id", "url", "ArXiv_ID"])
@pytest.mark.parametrize("other", ["2401.00001", "arXiv:2401.00001v2", "https://arxiv.org/abs/2401.00001"])
def test_another_id_is_refused(key, other):
    assert refused({key: other})


@pytest.mark.parametrize(
    "own", ["2406.01234", "arXiv:2406.01234v3", "https://arxiv.org/pdf/2406.01234", "", "unknown", 3, None]
)
def test_its_own_id_or_none_is_accepted(own):
    assert not refused({"arxiv_id": own})


@pytest.mark.parametrize("key", ["title_en", "title", "paper_title"])
def test_another_title_is_refused(key):
    assert refused({key: "Deep Reinforcement Learning for Robotic Grasping"})


@pytest.mark.parametrize(
    "own",
    [
        FACTS.title, FACTS.title.upper(), "Retrieval as a Condition", "Training retrievers with generators", "检索即条件",
        "Retrieval as a condition - training Retriever with Generator", "",
    ],
)  # fmt: skip
def test_its_own_title_in_other_spelling_is_accepted(own):
    assert not refused({"title_en": own})


def test_five_names_the_paper_does_not_know_are_refused():
    facts = PaperFacts(FACTS.arxiv_id, FACTS.title, TEXT)
    other = "在 GraspNet、YCB-Video 与 DexHand-2 上，PolicyNet 优于 RoboCat。"
    assert refused({"results.main_findings": [other]}, facts)
    assert not refused({"results.main_findings": [other + "与 RetGen 相比。"]}, facts)
    assert not refused({"results.main_findings": ["在 GraspNet 与 YCB-Video 上更好。"]}, facts)
    assert not refused({"results.main_findings": [other]}, PaperFacts(FACTS.arxiv_id, FACTS.title))


def test_common_names_count_for_nothing():
    facts = PaperFacts(FACTS.arxiv_id, FACTS.title, TEXT)
    assert not refused({"results.main_findings": ["LLM、GPT-4、BERT、LLaMA、CLIP、RLHF 与 LoRA 都不如它。"]}, facts)
