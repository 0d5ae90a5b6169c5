"""Tries what the site needs, step by step: its folder and database, the sources, the agent and the model."""

from operations.trial.trying import FREE_STEPS, STEPS, StepOutcome, UnknownStep, last_outcomes, try_step

__all__ = ["FREE_STEPS", "STEPS", "StepOutcome", "UnknownStep", "last_outcomes", "try_step"]
