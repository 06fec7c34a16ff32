"""Update the campaign file from the log: the new version takes the place of the one it was made from, and of no other."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, suppress

from waylog.store.campaign_file import CampaignFile, with_state
from waylog.store.edit_base import KnownState
from waylog.store.entries import LogEntry
from waylog.store.lock_and_replace import FILE, CampaignBusy, lock_campaign, write_beside
from waylog.store.open_campaign import OpenCampaign, describe_os_error
from waylog.toml.document import EditRefused

_NO_EXCHANGE = (
    f"On this file system, an edit that you save at the very moment when Waylog replaces {FILE} could be lost"
)


class FileUpdate:
    """Writes the campaign file."""

    def __init__(self, campaign: OpenCampaign) -> None:
        self._campaign = campaign
        self._told_of_exchanges = False

    def bring_up(self, file: CampaignFile, known: KnownState) -> bool:
        """Replace `file`, which is in place, by one that says the known state. Return False if that isn't possible now."""
        campaign = self._campaign
        if campaign.history.has_moved():
            campaign.unsaved = (
                f"{FILE} has become a link, so Waylog doesn't write it. The log has every action; open the campaign "
                "again"
            )
            campaign.mark_changed()
            return False
        try:
            since = [entry for entry in campaign.log.since(file.mark.number) if entry.number <= known.mark.number]
            new = self._apply_entries(file, known, since)
            beside = write_beside(campaign.history.path, new.document.data)
            with ExitStack() as lock:
                try:
                    lock.enter_context(lock_campaign(campaign.folder, campaign.patience))
                except (OSError, CampaignBusy):
                    beside.unlink(missing_ok=True)
                    raise
                now = campaign.history.put(beside, file, new)
            if now is None:
                campaign.crashed = campaign.crashed or bool(campaign.history.leftover_files())
                return False
        except (OSError, EditRefused, CampaignBusy) as error:
            campaign.unsaved = (
                f"Could not update {FILE}: {describe_os_error(error)}. Nothing is lost: the log has every action"
            )
            campaign.mark_changed()
            return False
        if not (campaign.history.exchanges or self._told_of_exchanges):
            self._told_of_exchanges = True
            campaign.report(_NO_EXCHANGE)
        shows = campaign.unsaved is not None or now.problems != file.problems
        campaign.file, campaign.unsaved = now, None
        if shows:
            campaign.mark_changed()
        return True

    def _apply_entries(self, file: CampaignFile, known: KnownState, since: Sequence[LogEntry]) -> CampaignFile:
        """Apply the entries to the file one by one. Raises `EditRefused`.

        If that isn't possible, for example because a person renamed a thing that was played on, make all changes at
        once.
        """
        try:
            return with_state(self._campaign.game, file, known.state, known.mark, since)
        except EditRefused:
            return with_state(self._campaign.game, file, known.state, known.mark, ())

    def bring_back(self, earlier: CampaignFile, since: Sequence[LogEntry] = ()) -> None:
        """In a turn: put an earlier version in place, with its comments, and bring it up to the current state.

        `since` are the entries that the version lacks. If it can't be put in place, `bring_up` changes the current file
        instead.
        """
        campaign = self._campaign
        with suppress(OSError, EditRefused):
            new = self._apply_entries(earlier, campaign.known, since)
            beside = write_beside(campaign.history.path, new.document.data)
            campaign.file = campaign.history.put(beside, campaign.file, new) or campaign.file
            campaign.mark_changed()
