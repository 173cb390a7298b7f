"""The forms of this room. They read and check what people type; they never write."""

from haulers.forms.application import SourcesForm, as_fields
from haulers.forms.decision import DecisionForm, decision_form, typed_lines
from haulers.forms.desk import ConfirmForm, FeeForm, VerifyForm
from haulers.forms.registration import CompanyForm, LicenseForm, RegisterForm, TruckForm
from haulers.forms.revocation import RevokeForm

__all__ = ["CompanyForm", "ConfirmForm", "DecisionForm", "FeeForm", "LicenseForm", "RegisterForm", "RevokeForm",
           "SourcesForm", "TruckForm", "VerifyForm", "as_fields", "decision_form", "typed_lines"]  # fmt: skip
