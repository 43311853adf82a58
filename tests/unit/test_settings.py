"""The configuration: what it makes of a file and an environment, and how it names what is wrong."""

import tomllib
from datetime import timedelta
from pathlib import Path

import pytest

from bot import __version__
from bot.settings import SAMPLE, Settings, build_settings, load_settings
from core.errors import ConfigurationError
from core.limits import Limits
from core.people import Role

PEOPLE = """
[owner]
id = "p_owner"
name = "老板"
telegram = "1001"
feishu = "ou_owner"
preferred_channel = "telegram"

[[people]]
id = "p_zhangsan"
name = "张三"
aliases = ["三哥", "Zhang San"]
pronoun = "他"
feishu = "ou_zhangsan"
telegram = 2001
working_days = ["mon", "tue"]
quiet_hours = "off"
escalation_to = "p_lisi"

[[people]]
id = "p_lisi"
name = "李四"
role = "member"
language = "en"
timezone = "Europe/Berlin"
feishu_email = "lisi@example.com"
preferred_channel = "feishu"
"""


def load(folder: Path, toml: str | None = None, dotenv: str | None = None, **environ: str) -> Settings:
    if toml is not None:
        (folder / "qinghai.toml").write_text(toml, encoding="utf-8")
    if dotenv is not None:
        (folder / ".env").write_text(dotenv, encoding="utf-8")
    return load_settings(None, environ, folder)


def complaint(folder: Path, toml: str | None = None, dotenv: str | None = None, **environ: str) -> str:
    with pytest.raises(ConfigurationError) as caught:
        load(folder, toml, dotenv, **environ)
    text = str(caught.value)
    assert "\n" not in text
    return text


def test_without_file_and_channel_the_sample_is_there_round_the_clock(tmp_path: Path) -> None:
    settings = load(tmp_path)
    assert settings.sample
    assert settings.channels == ()
    assert [p.name for p in settings.people] == ["老板", "张三", "李四"]
    assert settings.people[0].role is Role.OWNER
    assert {(p.working_hours, p.working_days, p.interaction_policy.quiet_hours) for p in settings.people} == {
        ("00:00-24:00", "daily", "")
    }
    assert settings.database_url == "sqlite:///data/qinghai.db"


def test_people_become_persons_with_identities_in_the_order_of_the_entry(tmp_path: Path) -> None:
    owner, zhangsan, lisi = load(tmp_path, PEOPLE).people
    assert owner.role is Role.OWNER
    assert owner.interaction_policy.preferred_channel == "telegram"
    assert [(i.channel, i.user_id) for i in zhangsan.identities] == [("feishu", "ou_zhangsan"), ("telegram", "2001")]
    assert zhangsan.working_days == ("mon", "tue")
    assert zhangsan.interaction_policy.quiet_hours == ""
    assert zhangsan.escalation_to == "p_lisi"
    assert (lisi.role, lisi.language, lisi.timezone) == (Role.MEMBER, "en", "Europe/Berlin")


def test_the_order_of_channels_is_that_of_the_keys(tmp_path: Path) -> None:
    one, other = 'telegram = "1"', 'feishu = "ou"'
    for first, second in ((one, other), (other, one)):
        person = load(tmp_path, f'[owner]\nid = "p"\nname = "B"\n{first}\n{second}\n').people[0]
        assert [i.channel for i in person.identities] == [first.split()[0], second.split()[0]]


def test_a_mail_address_is_kept_for_looking_up_the_open_id(tmp_path: Path) -> None:
    settings = load(tmp_path, PEOPLE)
    assert [(c.person_id, c.email) for c in settings.feishu_contacts] == [("p_lisi", "lisi@example.com")]
    assert settings.people[2].identities == ()


def test_what_webhooks_call_a_person_is_an_account_and_no_place_to_write_to(tmp_path: Path) -> None:
    toml = PEOPLE + 'gitlab = "LiSi"\ngithub = "li-si"\nemail = "Li.Si@Example.com"\n'
    lisi = load(tmp_path, toml).people[2]
    assert lisi.accounts == ("gitlab:lisi", "github:li-si", "email:li.si@example.com")
    assert lisi.identities == ()
    twice = toml.replace("telegram = 2001", 'telegram = 2001\ngitlab = "lisi"')
    assert "account 'gitlab:lisi'" in complaint(tmp_path, twice)
    assert "owner.email" in complaint(tmp_path, PEOPLE.replace('feishu = "ou_owner"', 'email = "somewhere"'))


WEBHOOK = {
    "QINGHAI_TELEGRAM__TOKEN": "123:abc",
    "QINGHAI_TELEGRAM__MODE": "webhook",
    "QINGHAI_TELEGRAM__WEBHOOK_URL": "https://bot.example.com",
    "QINGHAI_TELEGRAM__WEBHOOK_SECRET": "planted-secret",
    "QINGHAI_HTTP__PORT": "8080",
}


def test_webhook_mode_needs_an_address_a_secret_and_a_port(tmp_path: Path) -> None:
    assert load(tmp_path, **WEBHOOK).telegram.mode == "webhook"
    for name in ("QINGHAI_TELEGRAM__WEBHOOK_URL", "QINGHAI_TELEGRAM__WEBHOOK_SECRET", "QINGHAI_HTTP__PORT"):
        assert name in complaint(tmp_path, **{**WEBHOOK, name: ""})
    odd = complaint(tmp_path, **{**WEBHOOK, "QINGHAI_TELEGRAM__WEBHOOK_SECRET": "a secret/with?more"})
    assert "QINGHAI_TELEGRAM__WEBHOOK_SECRET" in odd
    assert "with?more" not in odd


def test_people_inherit_locale_and_time_zone(tmp_path: Path) -> None:
    text = 'locale = "en"\ntimezone = "Europe/Berlin"\n[owner]\nid = "p"\nname = "B"\n'
    person = load(tmp_path, text).people[0]
    assert (person.language, person.timezone) == ("en", "Europe/Berlin")


def test_the_environment_lies_over_the_dotenv_and_that_over_the_file(tmp_path: Path) -> None:
    toml = 'locale = "en"\ntimezone = "Europe/Berlin"\ntime_scale = 2\n'
    dotenv = "QINGHAI_TIMEZONE=Europe/Paris\nQINGHAI_TIME_SCALE=3\n"
    settings = load(tmp_path, toml, dotenv, QINGHAI_TIME_SCALE="60")
    assert (settings.locale, settings.timezone, settings.time_scale) == ("en", "Europe/Paris", 60)


def test_limits_can_be_changed_in_the_file_and_in_the_environment(tmp_path: Path) -> None:
    toml = '[limits]\nfollowup.medium = ["1h", "90m"]\nfollowup.medium_max = 2\nreport.min_interval = "5m"\n'
    limits = load(
        tmp_path, toml, QINGHAI_LIMITS__FOLLOWUP__LOW='["1d"]', QINGHAI_LIMITS__REPORT__DAILY_LIMIT="3"
    ).limits
    assert limits.followup.medium == (timedelta(hours=1), timedelta(minutes=90))
    assert limits.followup.medium_max == 2
    assert limits.followup.low == (timedelta(days=1),)
    assert limits.report.min_interval == timedelta(minutes=5)
    assert limits.report.daily_limit == 3
    assert limits.followup.high == (timedelta(hours=2), timedelta(hours=4), timedelta(hours=8))


def test_secrets_come_from_the_environment_and_are_known_to_the_log(tmp_path: Path) -> None:
    settings = load(
        tmp_path,
        dotenv="export QINGHAI_MODEL__API_KEY='sk-1' # the key\nQINGHAI_MODEL__NAME=m\nOTHER=1\n",
        QINGHAI_TELEGRAM__TOKEN="123:abc",
        QINGHAI_DATABASE_URL="postgresql://u:pw@h/x?user=u&password=pw2&sslmode=require",
    )
    assert settings.channels == ("telegram",)
    assert settings.model.is_set
    assert set(settings.secrets()) == {"123:abc", "sk-1", "pw", "pw2"}
    assert "123:abc" not in repr(settings)


def test_an_empty_variable_counts_as_absent(tmp_path: Path) -> None:
    assert load(tmp_path, QINGHAI_TELEGRAM__TOKEN="").channels == ()


def test_variables_of_the_tests_and_of_other_programs_are_left_alone(tmp_path: Path) -> None:
    load(tmp_path, QINGHAI_TEST_POSTGRES="1", QINGHAI_SWEEP="1", QINGHAIX="1", PATH="/bin")


def test_the_file_is_named_by_argument_or_variable(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text('locale = "en"', encoding="utf-8")
    (tmp_path / "b.toml").write_text("time_scale = 5", encoding="utf-8")
    assert load_settings(None, {"QINGHAI_CONFIG": "a.toml"}, tmp_path).locale == "en"
    both = load_settings(tmp_path / "b.toml", {"QINGHAI_CONFIG": "a.toml"}, tmp_path)
    assert (both.locale, both.time_scale) == ("zh-CN", 5)


@pytest.mark.parametrize(
    ("toml", "parts"),
    [
        ("[telgram]\nmode = 'polling'", ["qinghai.toml", "telgram", "'telegram'"]),
        ("[limits.followup]\nmeduim = ['4h']", ["qinghai.toml", "limits.followup.meduim", "'medium'"]),
        ("[[people]]\nid = 'p'\nname = 'Z'\nworking_hour = '9'", ["people[0].working_hour", "'working_hours'"]),
        ("[limits.followup]\nmedium = ['4x']", ["limits.followup.medium[0]", "'4x'", "30m"]),
        ("[limits.followup]\nmedium = '4h'", ["limits.followup.medium", "list in square brackets"]),
        ("[limits.followup]\nmedium_max = 'three'", ["limits.followup.medium_max", "'three'", "whole number"]),
        ("[telegram]\nmode = 'pol'", ["telegram.mode", "'pol'", "'polling'", "'webhook'"]),
        ("timezone = 'Asia/Shangai'", ["timezone", "'Asia/Shangai'", "Asia/Shanghai"]),
        ("[[people]]\nname = 'Z'", ["people[0].id", "missing"]),
        ("[[people]]\nid = 'p'\nname = 'Z'\nworking_hours = '9'", ["people[0].working_hours", "'9'", "09:00-18:00"]),
        ("[[people]]\nid = 'p'\nname = 'Z'\nworking_days = ['mo']", ["people[0].working_days", "'mo'", "mon, tue"]),
        ("[[people]]\nid = 'p'\nname = 'Z'\nworking_days = 3", ["people[0].working_days", "'daily'"]),
        ("people = 3", ["people = 3", "list"]),
        ("database_url = 'mysql://h/x'", ["database_url", "sqlite:///data/qinghai.db"]),
        ("a = \nb = 2", ["qinghai.toml", "line 1"]),
        ("[telegram]\ntoken = 'abc'", ["telegram.token", "QINGHAI_TELEGRAM__TOKEN", ".env"]),
        ("[http]\ngithub_secret = 'abc'", ["http.github_secret", "QINGHAI_HTTP__GITHUB_SECRET"]),
        ("database_url = 'postgresql://u:pw@h/x'", ["database_url", "password", "QINGHAI_DATABASE_URL"]),
        ("database_url = 'postgresql://h/x?password=pw'", ["database_url", "password", "QINGHAI_DATABASE_URL"]),
    ],
)  # fmt: skip
def test_what_is_wrong_in_the_file_is_named_with_its_cure(tmp_path: Path, toml: str, parts: list[str]) -> None:
    text = complaint(tmp_path, toml)
    assert [p for p in parts if p not in text] == []
    assert "pw" not in text
    assert "abc" not in text


@pytest.mark.parametrize(
    ("name", "value", "parts"),
    [
        ("QINGHAI_TELEGRAM__TOKN", "x", ["QINGHAI_TELEGRAM__TOKN", "'QINGHAI_TELEGRAM__TOKEN'"]),
        ("QINGHAI_TELEGRM__TOKEN", "x", ["'QINGHAI_TELEGRAM__TOKEN'"]),
        ("QINGHAI_TIMESCALE", "2", ["'QINGHAI_TIME_SCALE'"]),
        ("QINGHAI_TIME_SCALE", "fast", ["QINGHAI_TIME_SCALE", "'fast'", "number"]),
        ("QINGHAI_HTTP__PORT", "99999", ["QINGHAI_HTTP__PORT", "65535"]),
        ("QINGHAI_LIMITS__FOLLOWUP__MEDIUM", "[4h", ["QINGHAI_LIMITS__FOLLOWUP__MEDIUM", "JSON"]),
        ("QINGHAI_DATABASE_URL", "mysql://u:pw@h/x", ["QINGHAI_DATABASE_URL", "mysql://u:***@h/x"]),
        ("QINGHAI_CONFIG", "nowhere.toml", ["nowhere.toml", "no such file", "--config"]),
        ("QINGHAI_FEISHU__APP_ID", "cli_1", ["QINGHAI_FEISHU__APP_SECRET"]),
    ],
)
def test_what_is_wrong_in_the_environment_names_the_variable(
    tmp_path: Path, name: str, value: str, parts: list[str]
) -> None:
    text = complaint(tmp_path, **{name: value})
    assert [p for p in parts if p not in text] == []


def test_a_broken_dotenv_names_its_line(tmp_path: Path) -> None:
    assert ".env: line 2" in complaint(tmp_path, dotenv="# tokens\nQINGHAI_TELEGRAM__TOKEN\n")


@pytest.mark.parametrize(
    ("change", "parts"),
    [
        (('escalation_to = "p_lisi"', 'escalation_to = "p_lisl"'), ["张三", "'p_lisl'", "'p_lisi'"]),
        (('id = "p_lisi"', 'id = "p_zhangsan"'), ["张三", "李四", "'p_zhangsan'"]),
        (("telegram = 2001", 'telegram = "1001"'), ["老板", "张三", "telegram id '1001'"]),
        (('feishu_email = "lisi@example.com"\n', ""), ["李四", "preferred_channel", "feishu"]),
        (('role = "member"', 'role = "owner"'), ["老板", "李四", "only one"]),
    ],
)
def test_people_are_checked_against_each_other(tmp_path: Path, change: tuple[str, str], parts: list[str]) -> None:
    assert change[0] in PEOPLE
    text = complaint(tmp_path, PEOPLE.replace(*change))
    assert [p for p in parts if p not in text] == []


def test_the_sample_of_the_release_and_the_example_are_valid(tmp_path: Path) -> None:
    assert SAMPLE.is_file()
    example = Path(__file__).parents[2] / "qinghai.example.toml"
    text = example.read_text(encoding="utf-8")
    assert not load(tmp_path, text).sample
    # The limits that it shows are those that hold without it.
    head, _, limits = text.partition("# [limits]")
    shown = load(tmp_path, head + "[limits]" + limits.replace("\n# ", "\n"))
    assert shown.limits == Limits()


def test_who_writes_english_has_an_english_name_unless_another_was_given(tmp_path: Path) -> None:
    assert load(tmp_path).persona.name == "清海"
    assert load(tmp_path, QINGHAI_LOCALE="en").persona.name == "Qinghai"
    assert load(tmp_path, '[persona]\nname = "Mia"', QINGHAI_LOCALE="en").persona.name == "Mia"


@pytest.mark.parametrize("toml", ["a = [", "a = 1\nb = ]", "a = "])
def test_a_broken_file_is_told_without_a_bracket_left_over(tmp_path: Path, toml: str) -> None:
    said = complaint(tmp_path, toml)
    assert said.count("(") == said.count(")")
    assert "not valid TOML" in said


def test_the_version_that_status_tells_is_that_of_the_project() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == __version__


def test_feishu_by_webhook_needs_a_port() -> None:
    feishu = {"app_id": "cli_x", "app_secret": "s", "mode": "webhook"}
    with pytest.raises(ConfigurationError, match="QINGHAI_HTTP__PORT"):
        build_settings({"feishu": feishu}, "the test")
    assert build_settings({"feishu": feishu, "http": {"port": 8080}}, "the test").channels == ("feishu",)
