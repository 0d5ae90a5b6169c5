"""The worker of a browser test: what waits in the queue is done by the test itself."""

import pydoc

from django_q.models import OrmQ
from django_q.signing import SignedPackage

# A task that asks for itself again, as those that go on do, must not keep a test for ever.
_MOST = 50


def run_queue(most: int = _MOST) -> int:
    """Do the tasks that wait in the queue, oldest first, those that they ask for too; return how many were done.

    At most `most` are done. An exception of a task ends the test.
    """
    done = 0
    while done < most and (waiting := OrmQ.objects.order_by("pk").first()):
        task = SignedPackage.loads(waiting.payload)
        waiting.delete()
        function = task["func"] if callable(task["func"]) else pydoc.locate(task["func"])
        assert callable(function), f"there is no task {task['func']}"
        function(*task["args"], **task["kwargs"])
        done += 1
    return done
