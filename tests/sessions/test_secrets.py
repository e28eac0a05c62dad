"""Keys, passwords and personal numbers are found where they are, and little else is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions.secrets import MASK, Finding, findings_in, mask, masked, stand_in

LETTERS = "aB3dE5fG7hJ9kLmN0pQrS2tUvW4xYz6AbCdEfGhIjKlMnOpQrStUvWxYz0123456789aBcDeFgHiJkLmNoPqRs"


def token(start: str, length: int) -> str:
    """Put together here, so that no key-like text stands in this file."""
    return start + LETTERS[:length]


TOKENS = {
    "openai": token("sk-" + "proj-", 40),
    "openai, only letters": "sk-" + "proj-" + "A" * 40,
    "openai, older": token("sk-", 48),
    "anthropic": token("sk-" + "ant-api03-", 80),
    "openrouter": token("sk-" + "or-v1-", 64),
    "github": token("gh" + "p_", 36),
    "github, fine": token("github" + "_pat_", 82),
    "gitlab": token("gl" + "pat-", 20),
    "aws": "AK" + "IA" + "IOSFODNN7QABCDEF",
    "google": token("AI" + "za", 35),
    "slack": "xo" + "xb-123456789012-" + LETTERS[:24],
    "hugging face": token("h" + "f_", 34),
    "groq": token("g" + "sk_", 52),
    "stripe": token("sk" + "_live_", 24),
    "sendgrid": "S" + "G." + LETTERS[:22] + "." + LETTERS[:43],
    "npm": token("np" + "m_", 36),
    "telegram": "123456789:" + "AA" + LETTERS[:33],
    "jwt": ".".join(("ey" + "JhbGciOiJIUzI1NiJ9", "ey" + "JzdWIiOiIxMjM0In0", LETTERS[:43])),
}
KEY = (
    "-----BEGIN {0}PRIVATE KEY-----\n" + ("MIIEpAIBAAKCAQEA" * 4 + "\n") * 3 + "-----END {0}PRIVATE KEY-----"
)
AROUND = [
    "{}",
    "my key is {} ok",
    '{{"key": "{}"}}',
    "export A={}",
    "日本{}",
    "({})",
    '{{\\"a\\": \\"{}\\"}}',
]


def found_in(text: str, region: str | None = None) -> list[tuple[str, str]]:
    return [(each.kind, text[each.start : each.end]) for each in findings_in(text, region)]


@pytest.mark.parametrize("name", TOKENS)
@pytest.mark.parametrize("around", AROUND)
def test_tokens(name: str, around: str) -> None:
    assert found_in(around.format(TOKENS[name])) == [("token", TOKENS[name])]


@pytest.mark.parametrize("name", ["", "RSA ", "OPENSSH ", "EC "])
@pytest.mark.parametrize("in_json", [False, True])
def test_private_keys(name: str, in_json: bool) -> None:
    key = KEY.format(name)
    key = key.replace("\n", "\\n") if in_json else key
    assert found_in(f'see "{key}" there') == [("private_key", key)]


def test_a_private_key_that_was_cut_off() -> None:
    key = KEY.format("RSA ")[:100]
    assert found_in(f"{key}… and more") == [("private_key", key)]
    assert len(found_in(KEY.format("") + "\n" + KEY.format("EC "))) == 2


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("password: hunter2x", "hunter2x"),
        ("my password is hunter2!", "hunter2"),
        ('DB_PASSWORD="swordfish"', "swordfish"),
        ('"password": "s3cretpw"', "s3cretpw"),
        ('{\\"passwd\\": \\"s3cretpw\\"}', "s3cretpw"),
        ("Passwort: Geh3im!", "Geh3im!"),
        ("mot de passe : été-2024", "été-2024"),
        ("wachtwoord is Fiets123", "Fiets123"),
        ("密码：abc12345", "abc12345"),
        ("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG", "wJalrXUtnFEMI/K7MDENG"),
        ("API-KEY=0123456789abcdef", "0123456789abcdef"),
        ("postgres://sam:p4ssw0rd@db.example/home", "p4ssw0rd"),
    ],
)
def test_passwords(text: str, value: str) -> None:
    assert found_in(text) == [("password", value)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("write to Ada.Lovelace+x@mail.example.org!", [("email", "Ada.Lovelace+x@mail.example.org")]),
        ("<a@b.de>, c@d.fr", [("email", "a@b.de"), ("email", "c@d.fr")]),
        ("to NL91 ABNA 0417 1643 00 THANKS", [("iban", "NL91 ABNA 0417 1643 00")]),
        ("DE89370400440532013000", [("iban", "DE89370400440532013000")]),
        ("pay 4111 1111 1111 1111.", [("card", "4111 1111 1111 1111")]),
        (
            "5500-0000-0000-0004 or 378282246310005",
            [("card", "5500-0000-0000-0004"), ("card", "378282246310005")],
        ),
        (
            "call +31 20 623 4567 or 0031 6 12345678",
            [("phone", "+31 20 623 4567"), ("phone", "0031 6 12345678")],
        ),
        ("(+44 20 7946 0958)", [("phone", "+44 20 7946 0958")]),
    ],
)
def test_personal_numbers(text: str, expected: list[tuple[str, str]]) -> None:
    assert found_in(text) == expected


def test_telephones_of_a_country() -> None:
    assert found_in("bel 020 623 4567") == []
    assert found_in("bel 020 623 4567", "NL") == [("phone", "020 623 4567")]


@pytest.mark.parametrize(
    "text",
    [
        "password: required",
        "the password is important",
        "token: string",
        "secret: be kind",
        "password=$PASSWORD",
        "password = os.environ['PW']",
        "api_key: YOUR-API-KEY-12",
        "tokens: 123456789012",
        "git@github.com:a/b.git",
        "logo@2x.png",
        "getty@tty1.service",
        "package@1.2.3",
        "4111 1111 1111 1112",
        "NL91 ABNA 0417 1643 01",
        "+12 34",
        "id 1234567890123 at 20260921101112, 1790000000.25 call_0123456789",
        "550e8400-e29b-41d4-a716-446655440000",
        "sha256:" + "0123456789abcdef" * 4,
        "task-" + "a1" * 20,
        "sk-learn-contrib-package-name for this",
        "risk-averse-people-with-many-words-1",
        "https://example.org/a:b@c",
        "data:image/png;base64," + "A3" * 500,
    ],
)
def test_what_only_looks_like_it(text: str) -> None:
    assert found_in(text) == []


def test_nothing_of_a_value_is_left_but_whose_it_is() -> None:
    text = f"key {TOKENS['openai']}, mail ada@mail.example, pay DE89370400440532013000"
    assert masked(text) == f"key sk-proj-{MASK}, mail ••••@•••.example, pay {MASK}"
    assert masked(KEY.format("")) == MASK
    assert stand_in("hunter2", "password") == MASK
    assert mask("abcdef", [Finding("password", 1, 3), Finding("password", 2, 5)]) == f"a{MASK}def"


@given(
    st.text() | st.lists(st.sampled_from([*TOKENS.values(), "password: ", "@", "a.de", "+31", " ", "4111"]))
)
def test_findings_stand_in_the_text_and_never_overlap(text: str | list[str]) -> None:
    whole = text if isinstance(text, str) else "".join(text)
    end = 0
    for each in findings_in(whole, "NL"):
        assert end <= each.start < each.end <= len(whole)
        end = each.end
    mask(whole, findings_in(whole))


@given(st.sampled_from(sorted(TOKENS.values())), st.text(max_size=20), st.text(max_size=20))
def test_a_masked_text_has_no_token(value: str, before: str, after: str) -> None:
    assert value not in masked(f"{before} {value} {after}")


@pytest.mark.parametrize(
    "before", ["tel:", "documents/", "agent:main:signal:dm:", "https://wa.me/", "phone=", ""]
)
def test_a_telephone_in_an_address_or_a_name_of_a_file(before: str) -> None:
    assert masked(f"{before}+491711234567.txt") == f"{before}{MASK}.txt"
