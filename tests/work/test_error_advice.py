"""Every error type has a sentence on what it means and one on what helps."""

import pytest

from operations.error_advice import advice
from papers.models import ErrorType


@pytest.mark.parametrize("error_type", ErrorType.values)
def test_every_error_type_has_advice_of_its_own(error_type):
    own = advice(error_type)
    assert own.meaning and own.what_helps
    assert [other for other in ErrorType.values if advice(other) == own] == [error_type]


@pytest.mark.parametrize("error_type", [None, "", "no such type"])
def test_what_nobody_knows_is_unknown(error_type):
    assert advice(error_type) == advice(ErrorType.UNKNOWN)
