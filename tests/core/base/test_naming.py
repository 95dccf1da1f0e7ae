"""Names and numbers as messages show them."""

from rocviz.core.base.naming import threshold_text


def test_thresholds_are_exact_unless_they_are_huge():
    assert threshold_text(0.5) == "0.5"
    assert threshold_text(123456789.5) == "123456789.5"
    assert threshold_text(2.0**53 + 2) == "9007199254740994"
    assert threshold_text(-1.5e300) == "-1.5e+300"
