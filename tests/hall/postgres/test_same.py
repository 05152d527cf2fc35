"""The tests of what the hall keeps, once more, with everything in PostgreSQL."""

from __future__ import annotations

import pytest
from _pytest.fixtures import FixtureFunctionDefinition

from tests.hall import test_desk, test_rebuild
from tests.hall.uplink import conftest, test_cores, test_record, test_refusals

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("in_postgres")]

OF_FILES = {
    # the disk of the hall, and the files on it
    "test_an_act_that_cannot_be_written_is_not_done",
    "test_no_power_cut_loses_or_doubles_an_act_that_was_done",
    "test_no_byte_of_a_name_outlives_the_event",
    "test_a_hall_that_was_killed_before_it_erased_the_names_erases_them_when_it_is_opened",
    "test_names_that_somebody_else_reads_are_not_said_to_be_erased",
    "test_a_box_s_journal_is_no_record",
    "test_a_desk_that_was_superseded_on_a_full_disk_refuses_acts_all_the_same",
    "test_a_hall_whose_folder_was_set_back_is_told_and_overwrites_nothing",
    "test_a_full_disk_of_the_hall_acknowledges_nothing_and_the_box_sends_it_again",
    "test_another_database_is_not_taken_for_an_intake",
    "test_the_event_file_of_a_rebuilt_event_is_verified_without_the_referee",
    # processes of their own
    "test_an_event_is_rebuilt_from_the_words_of_its_key_and_one_box",
}

for module in (test_desk, test_rebuild, conftest, test_cores, test_record, test_refusals):
    for name, value in vars(module).items():
        if isinstance(value, FixtureFunctionDefinition) or (name.startswith("test_") and name not in OF_FILES):
            assert globals().get(name, value) is value, f"two tests are called {name}"
            globals()[name] = value
