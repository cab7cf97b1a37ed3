"""What an input asks for, said back in a sentence, so that a slip of a factor of ten is seen."""

from __future__ import annotations

from planner.inputs.ledger_gate import COUNTED
from planner.inputs.model import Inputs
from planner.inputs.typed import volume_in_words
from planner.problem import Said, said


def asked(inputs: Inputs) -> Said:
    """What demand the plan starts from: the target, or how many use cases count."""
    if inputs.plan.demand_basis != "ledger":
        return volume(inputs.plan.total_tokens, inputs.plan.language)
    cases = inputs.used("Ledger")
    counted = sum(row.approval in COUNTED for row in cases)
    return said("Demand comes from the ledger: {counted} of {all} use cases count.", counted=counted, all=len(cases))


def volume(tokens: float, language: str) -> Said:
    """A year's tokens in digits and words."""
    return said("Total tokens in the first year: {volume}.", volume=volume_in_words(tokens, language))
