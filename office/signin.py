"""Sign-in: Flask-Security keeps credentials; the words, the outbox and the slowing of guesses are ours."""

import hashlib
import uuid
from datetime import datetime, timedelta
from functools import cache
from typing import Any

import flask_login
from flask import Flask, current_app, has_request_context, redirect, render_template, request, session
from flask_security import (
    ChangePasswordForm,
    ForgotPasswordForm,
    LoginForm,
    ResetPasswordForm,
    Security,
    SQLAlchemyUserDatastore,
    current_user,
    hash_password,
)
from flask_security.mail_util import MailUtil
from sqlalchemy import bindparam, func, select
from sqlalchemy.dialects import postgresql, sqlite
from werkzeug.wrappers import Response
from wtforms import HiddenField

from office import clock, facts, journal, kept
from office.access import system
from office.asked import cells
from office.db import db, engine_name
from office.facts import fact
from office.fields import is_email
from office.forms import Markup, Problem, fresh
from office.notices import tell_person
from office.once import SignIn, Try
from office.people import Person, SecurityRole
from office.seals import sealed_values

FREE_TRIES = 5
LONGEST = 255
SHORTEST_PASSWORD = 10
WAIT = timedelta(minutes=5)
MESSAGES = {
    "EMAIL_NOT_PROVIDED": "Enter your e-mail",
    "INVALID_EMAIL_ADDRESS": "Enter an e-mail address like name@example.com",
    "PASSWORD_NOT_PROVIDED": "Enter a password",
    "PASSWORD_INVALID_LENGTH": "The password must have %(length)s characters or more",
    "PASSWORD_MISMATCH": "The two passwords must be the same",
    "RETYPE_PASSWORD_MISMATCH": "The two passwords must be the same",
    "PASSWORD_IS_THE_SAME": "The new password must differ from the old one",
    "INVALID_PASSWORD": "The password you use now does not match",
    "INVALID_RESET_PASSWORD_TOKEN": "This link does not work any more. Ask for a new one",
    "PASSWORD_RESET_EXPIRED": "This link worked for %(within)s and is over. Ask for a new one",
    "PASSWORD_RESET": "Your new password is set",
    "PASSWORD_RESET_NO_LOGIN": "Your new password is set. Sign in with it",
    "PASSWORD_RESET_REQUEST": "If we know this address, a link to set a new password is on its way",
    "PASSWORD_CHANGE": "Your password is changed",
    "GENERIC_AUTHN_FAILED": "The e-mail or password does not match",
    "UNAUTHENTICATED": "Sign in to go on",
}
GOOD = frozenset({"PASSWORD_RESET", "PASSWORD_RESET_NO_LOGIN", "PASSWORD_RESET_REQUEST", "PASSWORD_CHANGE"})
TOO_OLD = "This page was open for a long time. Enter your password and press the button again."
NO_MATCH = "The e-mail or password does not match. You can ask for a new password instead."


class OutboxMail(MailUtil):
    """Flask-Security's messages leave through the outbox, journalled like every other."""

    def send_mail(
        self, template: str, subject: str, recipient: Any, sender: Any, body: Any, html: Any, **kwargs: Any
    ) -> None:  # fmt: skip
        person = db.session.scalars(select(Person).where(Person.email == recipient)).one_or_none()
        if person is None:
            return
        at = clock.now()
        with journal.frame("send_account_mail", system("Sign-in"), None, at):
            tell_person(person, "account", str(subject), body, at, plant_id=None)
        # The page that asks for a link commits nothing itself.
        db.session.commit()


class People(SQLAlchemyUserDatastore):
    """Finds people without joining Flask-Security's roles, which we do not use."""

    def find_user(self, case_insensitive: bool = False, **kwargs: Any) -> Person | None:
        # Whoever a page is for is only read; the pages of sign-in and passwords change the person they find.
        if set(kwargs) == {"fs_uniquifier"} and has_request_context() and request.blueprint != "security":
            found: Person | None = _person(None, str(kwargs["fs_uniquifier"]))
            return found
        query = select(Person)
        for name, value in kwargs.items():
            column = getattr(Person, name)
            query = query.where(func.lower(column) == str(value).lower() if case_insensitive else column == value)
        return db.session.scalars(query).one_or_none()


@fact
def _person(_host: None, uniquifier: str) -> Person | None:
    return next(iter(facts.rows(Person, _uniquely(), uniquifier=uniquifier)), None)


@cache
def _uniquely() -> Any:
    return select(Person).where(Person.fs_uniquifier == bindparam("uniquifier"))


class _Ours(Markup):
    """Our markup and our error summary on Flask-Security's forms."""

    # What we say, kept apart: Flask-Security moves field errors away so that nobody learns which addresses it knows.
    said: dict[str, str] = {}

    def problems(self) -> list[Problem]:
        fields = [(field.id, str(one)) for field in self for one in field.errors]  # type: ignore[attr-defined]
        return [Problem(target, words) for target, words in (self.said.items() or fields)]


class SignInForm(_Ours, LoginForm):
    """The sign-in form; after five wrong passwords an address waits five minutes."""

    once = HiddenField(default=fresh)
    # What was typed on a page whose sign-in had ended (office.kept), carried through.
    kept_form = HiddenField()

    def validate(self, **kwargs: Any) -> bool:
        email = (self.email.data or "").strip().lower()
        at = clock.now()
        self.remember.data = False
        self.next.data = kept.own_address(self.next.data or "")
        if len(email) > LONGEST:
            self.said = {self.email.id: NO_MATCH}
            return False
        tries = _tries(email, at)
        if tries.count >= FREE_TRIES and at < tries.last + WAIT:
            self.said = {self.email.id: "There were too many tries with this e-mail. Wait five minutes and try again."}
            return False
        good = super().validate(**kwargs)
        if good or (email and self.password.data):
            tries.count, tries.last = (0 if good else tries.count + 1), at
        db.session.commit()
        if good:
            return True
        field = self.password if email and not self.password.data else self.email
        self.said = {field.id: _what(self, email)}
        return False


class ForgotForm(_Ours, ForgotPasswordForm):
    """Asks for a link to set a new password. An address we do not know is answered like one we do; none is not."""

    once = HiddenField(default=fresh)

    def validate(self, **kwargs: Any) -> bool:
        typed = (self.email.data or "").strip()
        if not typed or not is_email(typed):
            said = MESSAGES["INVALID_EMAIL_ADDRESS"] if typed else "Enter your e-mail address"
            self.said, self.form_errors = {self.email.id: said}, [said]
            return False
        return super().validate(**kwargs)


class ResetForm(_Ours, ResetPasswordForm):
    """Sets a new password from a mailed link: opening the link changes nothing, the button does."""

    once = HiddenField(default=fresh)


class ChangeForm(_Ours, ChangePasswordForm):
    """Changes the password of a signed-in person."""

    once = HiddenField(default=fresh)


def _what(form: LoginForm, email: str) -> str:
    if not email:
        return "Enter your e-mail"
    return NO_MATCH if form.password.data else "Enter your password"


def _tries(email: str, at: datetime) -> Try:
    """The tries with an address, locked: guesses sent at once are counted one after the other."""
    insert = postgresql.insert if engine_name() == "postgresql" else sqlite.insert
    first = sealed_values(Try.__table__, email=email, count=0, last=at)
    db.session.execute(insert(Try).values(**first).on_conflict_do_nothing())
    query = select(Try).filter_by(email=email).with_for_update().execution_options(populate_existing=True)
    return db.session.scalars(query).one()


def _signed_in(_app: Flask, user: Person, **_: Any) -> None:
    session["sign_in"] = token = uuid.uuid4().hex
    db.session.add(SignIn(token=token, person_id=user.id, at=clock.now()))
    db.session.commit()


def _signed_out(_app: Flask, user: Person | None, **_: Any) -> None:
    row = _sign_in()
    if row is not None:
        row.ended_at = clock.now()
        db.session.commit()


def _sign_in() -> SignIn | None:
    query = select(SignIn).filter_by(token=session.get("sign_in", ""), ended_at=None)
    return db.session.scalars(query).one_or_none()


def still_signed_in() -> None:
    """Before each request: a cookie whose sign-in has ended is nobody's."""
    person = current_user._get_current_object()
    if request.endpoint in (None, "static", "bootstrap.static") or not person.is_authenticated:
        return
    if cells(_still_open(), token=session.get("sign_in", "")) != [(person.id,)]:
        flask_login.logout_user()
        session.pop("sign_in", None)


@cache
def _still_open() -> Any:
    signed: Any = SignIn.__table__
    return select(signed.c.person_id).where(signed.c.token == bindparam("token"), signed.c.ended_at.is_(None))


def again(packed: str, address: str) -> str:
    """The sign-in page that carries what was typed at ``address``."""
    form = SignInForm(formdata=None, data={kept.FIELD: packed, "next": address})
    return render_template("security/login_user.html", login_user_form=form)


def too_old() -> Any:
    """The sign-in page was sent with a token that had lapsed: show it again with all but the password."""
    if current_user.is_authenticated:
        return redirect("/account/home")
    typed = {name: request.form.get(name, "")[:size] for name, size in (("email", LONGEST), (kept.FIELD, None))}
    form = SignInForm(formdata=None, data=typed | {"next": kept.own_address(request.form.get("next", ""))})
    form.said = {form.password.id: TOO_OLD}
    return render_template("security/login_user.html", login_user_form=form), 400


def _back_to_form(response: Response) -> Response:
    """Signed in with a form carried along: on to its address, which shows it as typed. 307 carries it there."""
    packed = request.form.get(kept.FIELD) if request.endpoint == "security.login" else None
    if packed and response.status_code == 302 and current_user.is_authenticated:
        found = kept.unpack(packed, current_user.id, clock.now())
        if found is not None and kept.own_address(found.address):
            response.status_code, response.location = 307, found.address
    return response


def new_person(email: str, name: str, password: str | None) -> Person:
    """Add a person who can sign in (no password: by the mailed link only). Used inside acts; never commits."""
    if password:
        # As the sign-in form will see it: two spellings of one accented letter are one password.
        password = current_app.security.password_util.normalize(password)  # type: ignore[attr-defined]
    person = Person(
        email=email.strip().lower(), name=name.strip(), active=True, fs_uniquifier=uuid.uuid4().hex,
        password=hash_password(password) if password else None,
    )  # fmt: skip
    db.session.add(person)
    db.session.flush()
    return person


def person_with_email(email: str) -> Person | None:
    """The person who signs in with this address."""
    return db.session.scalars(select(Person).where(Person.email == email.strip().lower())).one_or_none()


def start(app: Flask) -> None:
    """Set Flask-Security up: sign in, sign out by POST, password reset by mailed link, change of password."""
    salt = hashlib.sha256(b"password salt " + app.config["SECRET_KEY"].encode()).hexdigest()
    app.config.update(
        SECURITY_PASSWORD_SALT=salt,
        SECURITY_LOGIN_URL="/sign-in", SECURITY_LOGOUT_URL="/sign-out", SECURITY_LOGOUT_METHODS=["POST"],
        SECURITY_RECOVERABLE=True, SECURITY_RESET_URL="/account/password-reset",
        SECURITY_CHANGEABLE=True, SECURITY_CHANGE_URL="/account/password",
        SECURITY_POST_LOGIN_VIEW="/account/home", SECURITY_POST_LOGOUT_VIEW="/",
        SECURITY_POST_RESET_VIEW="/account/home", SECURITY_POST_CHANGE_VIEW="/account/home",
        SECURITY_UNAUTHORIZED_VIEW="/sign-in", SECURITY_RETURN_GENERIC_RESPONSES=True,
        SECURITY_EMAIL_VALIDATOR_ARGS={"check_deliverability": False},
        SECURITY_EMAIL_SENDER=app.config["MAIL_FROM"], SECURITY_RESET_PASSWORD_WITHIN=timedelta(hours=2),
        SECURITY_EMAIL_SUBJECT_PASSWORD_RESET="Set a new password for septage receiving",
        SECURITY_FLASH_MESSAGES=True, SECURITY_PASSWORD_LENGTH_MIN=SHORTEST_PASSWORD,
        WTF_CSRF_TIME_LIMIT=None, SESSION_COOKIE_SAMESITE="Lax", SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SECURE=app.config["SEPTAGE_URL"].startswith("https://"), REMEMBER_COOKIE_SAMESITE="Lax",
    )  # fmt: skip
    app.config.setdefault("SECURITY_PASSWORD_HASH", "argon2")
    # argon2 salts by itself; hashing with the app's key first would end every password with a new SECRET_KEY.
    app.config["SECURITY_PASSWORD_SINGLE_HASH"] = True
    for name, words in MESSAGES.items():
        app.config[f"SECURITY_MSG_{name}"] = (words, "success" if name in GOOD else "error")
    store = People(db, Person, SecurityRole)
    app.security = Security(  # type: ignore[attr-defined]
        app, store, mail_util_cls=OutboxMail, login_form=SignInForm, forgot_password_form=ForgotForm,
        reset_password_form=ResetForm, change_password_form=ChangeForm,
    )  # fmt: skip
    flask_login.user_logged_in.connect(_signed_in, app)
    flask_login.user_logged_out.connect(_signed_out, app)
    app.before_request(still_signed_in)
    app.after_request(_back_to_form)
