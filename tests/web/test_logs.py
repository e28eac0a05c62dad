"""Log lines say where and of which kind a fault was, never what was in it."""

import logging
import sys
from types import SimpleNamespace

from hermesweb.logs import WithoutWords


def record(
    name: str = "django.request", message: str = "%s", *args: object, **more: object
) -> logging.LogRecord:
    made = logging.LogRecord(name, logging.ERROR, __file__, 1, message, args, more.pop("exc_info", None))
    made.__dict__.update(more)
    return made


def fault() -> object:
    try:
        try:
            raise KeyError("velinner")
        except KeyError:
            velvariable = "velvalue"
            raise ValueError(f"velouter {velvariable}")  # noqa: B904  the context is what is tested
    except ValueError:
        return sys.exc_info()


def test_an_exception_is_its_type_and_its_places() -> None:
    line = WithoutWords().format(record("hermesweb.jobs.work", "job %s", "1", exc_info=fault()))
    assert "job 1" in line
    assert "ValueError" in line
    assert "caused by KeyError" in line
    assert "test_logs.py" in line
    assert "velouter" not in line
    assert "velinner" not in line
    assert "velvalue" not in line


def test_what_an_earlier_formatter_wrote_is_not_used() -> None:
    line = WithoutWords().format(record("x", "a", exc_info=fault(), exc_text="velouter"))
    assert "vel" not in line


def test_a_request_is_its_view_and_reference_not_its_path() -> None:
    request = SimpleNamespace(
        method="POST",
        path="/first/veltoken/",
        resolver_match=SimpleNamespace(view_name="first_link"),
        reference="ab12-cd34",
    )
    line = WithoutWords().format(
        record("django.request", "Forbidden: %s", "/first/veltoken/", request=request, status_code=403)
    )
    assert "POST first_link 403 ab12-cd34" in line
    assert "vel" not in line


def test_a_request_that_reached_no_view() -> None:
    request = SimpleNamespace(method="GET", path="/veltoken", resolver_match=None)
    assert "GET no view 404" in WithoutWords().format(record(request=request, status_code=404))


def test_a_library_that_quotes_what_it_choked_on() -> None:
    line = WithoutWords().format(record("yaml", "cannot read %s", "velword", exc_info=fault()))
    assert "a fault in yaml" in line
    assert "velword" not in line


def test_the_record_itself_is_left_to_other_handlers() -> None:
    made = record("x", "a %s", "b", exc_info=fault())
    WithoutWords().format(made)
    assert made.getMessage() == "a b"
