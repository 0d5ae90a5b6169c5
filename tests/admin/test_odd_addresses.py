"""Addresses that no page leads to: each is refused, none of them with a 500."""

import pytest
from django.urls import reverse

from tests.everything import make_everything, models_of_the_admin

PAGES = ("change", "delete", "history")
# More than SQLite can hold; Django asks it for one all the same where the key is another table's.
HUGE = ("9" * 21, "-" + "9" * 21, "９" * 21)


def addresses(key) -> list[str]:
    names = [f"admin:{model._meta.app_label}_{model._meta.model_name}" for model in models_of_the_admin()]
    return [reverse(f"{name}_{page}", args=[key]) for name in names for page in PAGES]


@pytest.mark.parametrize("key", HUGE)
def test_a_row_whose_number_cannot_be(owner, key):
    assert {owner.get(address).status_code for address in addresses(key)} <= {302, 403, 404, 405}


def test_a_field_without_a_name_to_know_rows_by(owner):
    rows = make_everything()
    for model in models_of_the_admin():
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        for page in ("change", "delete"):
            address = reverse(f"{name}_{page}", args=[rows[model].pk])
            assert owner.get(address, {"_to_field": ""}).status_code == 400, address
            assert owner.post(address, {"_to_field": ""}).status_code == 400, address
