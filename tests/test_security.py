"""Each promise of SECURITY.md, and the tests that would fail if it were broken.

The network is tested here, for no part of rocviz is to use it; the rest is tested where it lives.
"""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "SECURITY.md").read_text(encoding="utf-8")

#: By the first words of a promise, tests of it.
TESTS = {
    "Formulas": [
        "tests/core/decisions/test_formula.py::test_refusals_state_the_part_and_its_place",
        "tests/core/decisions/test_formula.py::test_any_text_is_parsed_or_refused",
    ],
    "Scoring lists, stories and saved progress": [
        "tests/core/base/test_bad_input.py::test_invalid_json_of_a_list_is_refused",
        "tests/core/base/test_bad_input.py::test_invalid_json_of_a_stage_is_refused",
        "tests/core/base/test_bad_input.py::test_scores_far_apart_need_no_memory",
        "tests/exercises/test_progress.py::test_a_broken_file_is_kept_and_reported_once",
        "tests/fuzz/test_loaders.py::test_damaged_probabilistic_scoring_lists",
        "tests/fuzz/test_loaders.py::test_damaged_scoring_lists",
        "tests/fuzz/test_loaders.py::test_damaged_stories",
        "tests/widgets/base/test_story.py::test_a_story_in_a_file",
        "tests/widgets/base/test_story.py::test_texts_from_files_cannot_name_private_fields",
        "tests/widgets/base/test_story.py::test_fields_cannot_leave_the_state",
        "tests/widgets/base/test_story.py::test_a_format_makes_no_long_text",
    ],
    "Predictions and other data": [
        "tests/fuzz/test_loaders.py::test_damaged_tables_of_parquet",
        "tests/fuzz/test_loaders.py::test_damaged_tables_of_text",
        "tests/core/roc/test_sources.py::test_files_that_cannot_be_read_say_so",
        "tests/core/roc/test_sources.py::test_damage_inside_a_file_is_reported",
        "tests/report/test_report_command.py::test_files_that_are_no_tables_are_refused",
    ],
    "Names and texts": [
        "tests/core/scoring_lists/test_scoring_list.py::test_html",
        "tests/report/test_markdown.py::test_a_text_is_shown_as_it_is",
        "tests/report/test_markdown.py::test_reports_show_names_as_they_are",
        "tests/report/test_report.py::test_the_page_needs_no_other_file",
        "tests/widgets/base/test_prose.py::test_a_link_leads_to_the_web_in_another_window",
        "tests/widgets/base/test_prose.py::test_texts_cannot_open_markup",
        "tests/widgets/base/test_prose.py::test_formulas_hold_no_links_and_no_pictures",
        "tests/widgets/base/test_prose.py::test_fields_are_filled_after_the_markdown_was_read",
    ],
    "Pages": [
        "tests/browser/test_hall.py::test_an_address_restores_a_step_and_its_inputs",
        "tests/browser/test_hall.py::test_an_untrusted_story_runs_and_fetches_nothing",
        "tests/browser/test_recorded.py::test_a_recorded_page_moves_without_a_kernel",
        "tests/report/test_report.py::test_the_page_needs_no_other_file",
        "tests/widgets/base/test_recording.py::test_a_page_is_one_file_or_stands_beside_its_scripts",
        "tests/widgets/base/test_recording.py::test_invalid_paths_are_refused",
    ],
    "Files that rocviz writes": [
        "tests/test_cli.py::test_copy_refuses_to_overwrite",
        "tests/test_cli.py::test_dry_run_names_the_start_page_and_writes_nothing",
        "tests/test_cli.py::test_tracked_notebooks_are_never_changed",
        "tests/test_files.py::test_a_full_disk_leaves_old_files_whole",
        "tests/test_files.py::test_the_umask_and_the_old_permissions_are_kept",
        "tests/test_files.py::test_what_stops_before_the_last_step_leaves_all_as_it_was",
        "tests/report/test_report_command.py::test_the_predictions_are_never_overwritten",
    ],
    "Arguments": [
        "tests/core/base/test_bad_input.py::test_all_functions_ask_for_pos_label_alike",
        "tests/core/base/test_effort.py::test_too_much_is_refused_before_it_begins",
        "tests/core/fermi_dirac/test_fermi_dirac.py::"
        "test_laws_of_too_many_samples_are_refused_before_memory_is_taken",
        "tests/core/scoring_lists/test_scoring_search_lists.py::"
        "test_too_large_searches_are_refused_at_once",
        "tests/widgets/base/test_every_state.py::test_hostile_values_are_refused_by_name",
        "tests/widgets/decisions/test_decision_explorer.py::"
        "test_bent_formulas_and_very_many_samples_take_long",
    ],
    "The network": [
        "tests/datasets/test_fetch.py::test_offline_the_error_explains_the_remedy",
        "tests/datasets/test_fetch.py::test_other_data_are_refused",
        "tests/test_security.py::test_nothing_but_fetching_opens_a_connection",
        "tests/test_security.py::test_the_guard_notices_connections",
    ],
    "Servers": [
        "tests/test_cli.py::test_an_invalid_port_is_refused",
        "tests/test_cli.py::test_no_address_and_no_token_are_set",
        "tests/test_cli.py::test_the_app_is_served_on_local_names_only",
    ],
}


def test_every_promise_has_tests():
    promises = PAGE.partition("\n## What we promise\n")[2].partition("\n## ")[0]
    begin = [words.rstrip(":") for words in re.findall(r"^- \*\*(.*?)\*\*", promises, re.MULTILINE)]
    assert begin == list(TESTS)


@pytest.mark.parametrize("name", sorted(set().union(*TESTS.values())))
def test_tests_of_promises_are_there(name):
    path, _, function = name.partition("::")
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    assert function in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


#: Ends Python at the first attempt to reach another computer.
GUARD_SOURCE = """
import sys

def watch(event, arguments):
    by_name = event in ("socket.getaddrinfo", "socket.gethostbyname")
    if by_name or event == "socket.connect" and isinstance(arguments[1], tuple):
        sys.exit(f"reached for the network: {event} {arguments}")

sys.addaudithook(watch)
"""
USE_SOURCE = """
import rocviz
from rocviz import datasets

datasets.load_breast_cancer_scores()
datasets.load_class_scores("wine")
y_true, y_score = [0, 1, 0, 1, 1, 0] * 10, [i / 60 for i in range(60)]
explorer = rocviz.ROCExplorer(y_true, y_score, panels=["roc"])
explorer.to_html("page.html", live={"threshold": 2})
explorer.close()
rocviz.evaluation_report(y_true, {"model": y_score}).to_html("report.html", live=False)
print("done")
"""


def run(code, folder):
    """Run code in a Python of its own, with the guard."""
    command = [sys.executable, "-c", GUARD_SOURCE + code]
    nothing_kept = os.environ | {"SCIKIT_LEARN_DATA": str(folder)}
    return subprocess.run(command, cwd=folder, env=nothing_kept, capture_output=True, text=True)


@pytest.mark.slow
def test_nothing_but_fetching_opens_a_connection(tmp_path):
    done = run(USE_SOURCE, tmp_path)
    assert (done.stdout, done.returncode) == ("done\n", 0), done.stderr


@pytest.mark.parametrize(
    "code",
    [
        "import socket; socket.create_connection(('localhost', 9))",
        "import socket; socket.socket().connect(('127.0.0.1', 9))",
        "import urllib.request; urllib.request.urlopen('http://127.0.0.1:9')",
        "from rocviz import datasets; datasets.fetch_coimbra()",
    ],
)
def test_the_guard_notices_connections(code, tmp_path):
    assert "reached for the network" in run(code, tmp_path).stderr
