"""How a run of the agent can fail. Each error carries what the agent had said so far."""


class AgentError(Exception):
    """A run that gave no answer; `stdout` and `stderr` hold what was read until then."""

    def __init__(self, message: str, *, stdout: str = "", stderr: str = "") -> None:
        """Keep the output beside the message."""
        super().__init__(message)
        self.stdout = stdout
        self.stderr = stderr


class AgentNotInstalled(AgentError):
    """There is no agent that could be started: the fault of the installation, of no prompt."""


class AgentNotConfigured(AgentNotInstalled):
    """The default agent is there, but has not been told which model to use, or lacks its key."""


class AgentTimeout(AgentError):
    """The agent was still at work when its time was over."""


class AgentOutputTooLarge(AgentError):
    """The agent wrote more than is read of it."""


class AgentFailed(AgentError):
    """The agent ended with an exit code other than 0; 128 + N if signal N ended it."""

    def __init__(self, exit_code: int, *, stdout: str = "", stderr: str = "") -> None:
        """Say the code and the end of what stood on stderr, where programs say why."""
        reason = stderr.strip()[-_REASON_LENGTH:]
        super().__init__(
            f"agent ended with exit code {exit_code}: {reason or 'it gave no reason'}", stdout=stdout, stderr=stderr
        )
        self.exit_code = exit_code


_REASON_LENGTH = 1000  # characters: an error with its context, not a log
