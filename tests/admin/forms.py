"""What a browser would send from a page of the admin."""

from django.test import Client


def form_of(client: Client, address: str, **changes) -> dict:
    """Return what the form at `address` holds, with fields changed; line ends as browsers send them."""
    context = client.get(address).context
    forms = [context["adminform"].form]
    for inline in context["inline_admin_formsets"]:
        forms += [inline.formset.management_form, *inline.formset.forms]
    data = {field.html_name: field.value() for form in forms for field in form}
    seen = {
        field.html_initial_name: field.value() for form in forms for field in form if field.field.show_hidden_initial
    }
    return {name: _sent(value) for name, value in (seen | data | changes).items()}


def _sent(value):
    if value is None:
        return ""
    return value.replace("\r\n", "\n").replace("\n", "\r\n") if isinstance(value, str) else value
