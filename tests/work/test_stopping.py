"""The wish to stop that workers look for."""

import pytest

from operations import owners
from operations.stopping import WorkStopped, ask_workers_to_stop, is_stopping, let_workers_work, raise_if_stopping

pytestmark = pytest.mark.usefixtures("data_dir")


def test_it_is_heard_until_it_is_withdrawn():
    assert not is_stopping()
    ask_workers_to_stop()
    with pytest.raises(WorkStopped):
        raise_if_stopping()
    let_workers_work()
    let_workers_work()
    raise_if_stopping()


def test_the_wish_of_a_process_that_died_is_none(data_dir):
    here = owners.parse(owners.current_owner())
    dead = owners.Owner(here.host, here.pid, here.start - 1, here.boot, here.namespace)
    (data_dir / "locks").mkdir()
    (data_dir / "locks" / "stopping").write_text(str(dead), "utf-8")
    assert not is_stopping()
