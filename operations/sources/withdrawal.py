"""Whether a paper's authors, or arXiv, have withdrawn it: arXiv has no field for that, only words.

A wrong "yes" would end a good paper for ever, while a wrong "no" is found out by the source that is not there. So a
sentence counts only if it says that this very paper was withdrawn, and little before that.
"""

import re

_THING = r"(?:(?:arxiv|present|current|entire|whole|full)\s+)?(?:e-?print|paper|article|manuscript|submission|preprint|"
_THING += r"pre-print|work|document|draft|note|letter|report|thesis|contribution|version)"
_SUBJECT = rf"(?:(?:this|the|our)\s+)?{_THING}(?:\s+\([^)]*\))?(?:\s+arxiv:\S+)?"
_ADVERB = r"(?:\s+(?:now|been|hereby|formally|temporarily|voluntarily|officially|therefore|thus|already|permanently))*"
_VERB = rf"(?:\s+(?:has|have|had|is|was|will|should|must)(?:\s+(?:be|being|to\s+be))?{_ADVERB})?"
_HIDDEN_SUBJECT = rf"(?:{_SUBJECT}{_VERB}|has\s+been|now|temporarily)?"
_PASSIVE_BEFORE = re.compile(rf"(?:note:?\s+|comment:?\s+|notice:?\s+|abstract:?\s+)?{_HIDDEN_SUBJECT}")
_AUTHORS = r"(?:we|i|the\s+(?:first\s+|corresponding\s+)?authors?|arxiv\s+(?:admin\w*|moderators?))"
_ACTIVE = re.compile(
    rf"{_AUTHORS}\s+(?:(?:have|has|had|would\s+like\s+to|wish(?:es)?\s+to|decided\s+to|must)\s+)*"
    rf"withdr(?:aw|ew|awn)\s+(?:this|the|our)\s+{_THING}\b(?!\s+from\s+(?!(?:the\s+)?arxiv))"
)
_MENTION = re.compile(r"withdr[ae]w|retracted", re.I)
_WITHDRAWN = re.compile(r"\b(?:withdrawn|retracted)\b")
# "withdrawn from a conference" leaves the paper as it is; "withdrawn papers" are its subject.
_ELSEWHERE = re.compile(r"\s+from\s+(?!(?:the\s+)?arxiv)")
_NOTICE_AFTER = re.compile(
    r"\s*(?:$|[.,;:!()\]\[–—-]|(?:by|due|because|for|as|pending|since|in\s+favou?r|until|till|temporarily|on|owing|after|"
    r"from|at|to|and|while|so|permanently)\b)"
)
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+|\s*[\n|]\s*")


def says_withdrawn(comment: str, abstract: str) -> bool:
    """Tell whether the comment, or the notice put in place of the abstract, says that this paper was withdrawn."""
    if not _MENTION.search(comment) and not _MENTION.search(abstract):
        return False
    if any(map(_is_notice, _sentences(comment))):
        return True
    first, *others = _sentences(abstract) or [""]
    return _is_notice(first) or any(_is_notice(text) for text in others if text.startswith("this "))


def _sentences(text: str) -> list[str]:
    parts = (part.strip(" \t\n\"'`*[]({<>})") for part in _SENTENCE_END.split(text.lower()))
    return [part for part in parts if part]


def _is_notice(sentence: str) -> bool:
    if _ACTIVE.match(sentence):
        return True
    found = _WITHDRAWN.search(sentence)
    if not found or not _PASSIVE_BEFORE.fullmatch(sentence[: found.start()].strip()):
        return False
    after = sentence[found.end() :]
    return not _ELSEWHERE.match(after) and bool(_NOTICE_AFTER.match(after))
