import copy
import math
import pickle

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rocviz.core.decisions import Formula, parse_formula

PYTHON = {
    "__builtins__": {},
    "abs": abs,
    "exp": lambda x: float(np.exp(x)),
    "log": lambda x: float(np.log(x)) if x > 0 else math.log(x),
    "max": max,
    "min": min,
    "sqrt": math.sqrt,
}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("u", 0.2),
        ("3", 3.0),
        ("  2*u/(p+v) ", 0.5),
        ("-u**2", -0.04),
        ("(-u)**2", 0.04),
        ("2**-1", 0.5),
        ("2**3**2", 512.0),
        ("u - v - p", -0.6),
        ("+u", 0.2),
        ("1e-1 + .5 + 0x10 + 1_000", 1016.6),
        ("min(u, v, p)", 0.2),
        ("max(u, v, p, 0.3)", 0.5),
        ("abs(u - p)", 0.1),
        ("sqrt (4) * exp(0) + log(1)", 2.0),
        ("(" * 99 + "u" + ")" * 99, 0.2),
        ("-" * 199 + "u", -0.2),
        ("9**99 * u / 9**99", 0.2),
    ],
)
def test_value(text, value):
    assert parse_formula(text)(0.2, 0.5, 0.3) == pytest.approx(value, rel=1e-14)


def test_shapes_are_broadcast_and_inputs_left_alone():
    u = np.array([[0.1], [0.2]])
    v = np.array([0.3, 0.4, 0.5])
    values = parse_formula("u / v")(u, v, 0.5)
    assert values.shape == (2, 3)
    np.testing.assert_array_equal(values, u / v)
    same = parse_formula("u")(u, 0.0, 0.0)
    same[:] = 7
    assert u.tolist() == [[0.1], [0.2]]
    np.testing.assert_array_equal(parse_formula("1")(u, v, 0.5), np.ones((2, 3)))
    assert parse_formula("1")(0, 0, 0) == 1.0


def test_undefined_values_are_not_hidden():
    values = parse_formula("u / v")([0.0, 1.0, -1.0], 0.0, 0.0)
    np.testing.assert_array_equal(values, [np.nan, np.inf, -np.inf])
    assert np.isnan(parse_formula("sqrt(u)")(-1.0, 0.0, 0.0))
    assert np.isnan(parse_formula("max(u, v)")(np.nan, 1.0, 0.0))


def test_a_formula_is_a_value():
    f = parse_formula(" u / v ")
    assert f == Formula("u / v") == copy.deepcopy(f)
    assert hash(f) == hash(copy.copy(f))
    assert f != parse_formula("u/v")
    back = pickle.loads(pickle.dumps(f))
    assert back == f
    assert back(1.0, 2.0, 0.0) == 0.5
    assert repr(f) == "Formula(text='u / v')"
    with pytest.raises(AttributeError):
        f.text = "u"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("   ", "empty"),
        ("u.real", "'u.real' at character 1 is an attribute"),
        ("1 + u.__class__.__base__", "character 5 is an attribute"),
        ("__import__", "'__import__' at character 1 is an unknown name"),
        ("__import__('os')", '"\'" at character 12'),
        ("u + eval(v)", r"'eval\(v\)' at character 5 is an unknown function"),
        ("sqrt", "needs an argument in parentheses"),
        ("sqrt()", "has 0 arguments; sqrt takes one"),
        ("sqrt(u, v)", "has 2 arguments; sqrt takes one"),
        ("max(u)", "max takes two or more"),
        ("max(*u)", r"'\*u' at character 5 is not allowed"),
        ("max(**u)", r"\*\* before it"),
        ("u[0]", r"'\[' at character 2"),
        ("u; v", "';' at character 2"),
        ("u = 1", "'=' at character 3"),
        ("u # v", "'#' at character 3"),
        ("u ^ 2", r"'\^' at character 3 is not allowed. Powers are written \*\*"),
        ("u\nv", r"'\\n' at character 2"),
        ("u\0", r"'\\x00' at character 2"),
        ("ｕ + v", "'ｕ' at character 1"),
        ("u − v", "'−' at character 3"),
        ("u // v", "'u // v' at character 1 is not allowed"),
        ("not u", "'not u' at character 1 is not allowed"),
        ("u if v else p", "is not allowed"),
        ("()", "is not allowed"),
        ("(yield)", "'yield' at character 2 is not allowed"),
        ("True", "'True' at character 1 is not allowed"),
        ("u + 1j", "'1j' at character 5 is not allowed"),
        ("9**9**9**9", r"'9\*\*9\*\*9' at character 4 is a power of more than 100"),
        ("u**-(50 + 51)", "power of more than 100"),
        ("1e999", "'1e999' at character 1 is not a finite number"),
        ("u + 1e300*1e300", r"'1e300\*1e300' at character 5 is not a finite number"),
        ("(9**99)**99", "not a finite number"),
        ("u * 1/0 + (1/0)", "'1/0' at character 12 is not a finite number"),
        ("max(1, 2, sqrt(-1))", "'sqrt\\(-1\\)' at character 11 is not a finite number"),
        ("2u", "cannot be read at character 1"),
        ("u +", "cannot be read at its end"),
        ("(u", "cannot be read at character 1"),
        ("2(u)", "is a product without"),
        ("(u + v)(u)", "is a product without"),
        ("x", "'x' at character 1 is an unknown name"),
        ("u" * 201, "at most 200 characters; got 201"),
        ("(" * 100_000, "at most 200 characters; got 100,000"),
        ("aVeryLongNameThatNobodyWouldEverType" * 2, r"'aVeryLong\w{40,50}\.\.\. at"),
    ],
)
def test_refusals_state_the_part_and_its_place(text, complaint):
    with pytest.raises(ValueError, match=complaint) as raised:
        parse_formula(text)
    assert len(str(raised.value)) < 260


@pytest.mark.parametrize("text", [None, 3, b"u", ["u"]])
def test_other_types_than_text_are_refused(text):
    with pytest.raises(ValueError, match="formula must be a string; got"):
        parse_formula(text)


def test_a_constructed_formula_is_parsed_too():
    with pytest.raises(ValueError, match="attribute"):
        Formula("u.real")


def expressions():
    leaves = st.one_of(
        st.sampled_from(["u", "v", "p"]),
        st.integers(0, 9).map(str),
        st.floats(0, 10).map(lambda x: f"{x:.3g}"),
    )

    def larger(part):
        return st.one_of(
            st.tuples(part, st.sampled_from("+-*/"), part).map("({0[0]} {0[1]} {0[2]})".format),
            st.tuples(part, st.integers(-3, 3)).map("({0[0]})**{0[1]}".format),
            part.map("-{}".format),
            st.tuples(st.sampled_from(["abs", "exp", "sqrt", "log"]), part).map(
                "{0[0]}({0[1]})".format
            ),
            st.tuples(st.sampled_from(["min", "max"]), part, part).map(
                "{0[0]}({0[1]}, {0[2]})".format
            ),
        )

    return st.recursive(leaves, larger, max_leaves=8)


@settings(max_examples=200, deadline=None)
@given(expressions(), st.tuples(*[st.floats(0, 1)] * 3))
def test_formulas_agree_with_python(text, values):
    assume(len(text) <= 200)
    try:
        with np.errstate(over="ignore"):
            expected = eval(text, PYTHON, dict(zip("uvp", values, strict=True)))
        assume(math.isfinite(expected))
    except (ArithmeticError, ValueError, TypeError):
        assume(False)
    formula = parse_formula(text)
    assert formula(*values) == pytest.approx(expected, rel=1e-12, abs=1e-300)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="uvpx019.,()*/+-_ esqrtmax", max_size=40))
def test_any_text_is_parsed_or_refused(text):
    try:
        formula = parse_formula(text)
    except ValueError as error:
        message = str(error)
    else:
        assert formula([0.1, 0.2], 0.5, 0.3).shape == (2,)
        return
    assert message.startswith("formula")
