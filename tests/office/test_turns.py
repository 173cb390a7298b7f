"""Those of one process who write wait in line, first come first served, and nobody is forgotten."""

from threading import Thread

from office.turns import Turns


def test_the_next_in_line_is_let_in_and_one_who_gave_up_is_not():
    turns, order = Turns(), []
    assert turns.take(0)
    assert not turns.take(0)

    def wait(name: str) -> None:
        assert turns.take(10)
        order.append(name)
        turns.give()

    threads = []
    for name in ("first", "second", "third"):
        threads.append(Thread(target=wait, args=(name,)))
        threads[-1].start()
        while len(turns._line) < len(threads):
            pass
    turns.give()
    for one in threads:
        one.join(10)
    assert order == ["first", "second", "third"]
    assert turns.take(0)


def test_a_turn_ends_with_its_transaction_however_that_ends(app):
    from office.db import _TURNS, db
    from tests import world

    world.plant()
    line = _TURNS.get(str(app.config["DATABASE_URL"]), Turns())
    for end in (db.session.commit, db.session.rollback, db.session.remove):
        world.plant()
        assert line._taken is (db.engine.dialect.name == "sqlite")
        end()
        assert not line._taken
