"""Everything that is done to an event, by whom, why and when: plain data, checked and then applied."""

from referee.tournament.acts.base import KINDS, Act, fold, perform, read_act
from referee.tournament.acts.floor import (
    BoxPlaced,
    CallClaimed,
    CallOpened,
    CallResolved,
    PenaltyGiven,
    PenaltyLifted,
)
from referee.tournament.acts.matches import (
    ChallengeRejected,
    ResultChallenged,
    ResultEntered,
    ResultTakenBack,
    SidesBid,
)
from referee.tournament.acts.people import (
    CheckedIn,
    CheckInTakenBack,
    PlayerAdded,
    PlayerChanged,
    PlayerDropped,
    PlayerReturned,
    TableFixed,
)
from referee.tournament.acts.rounds import (
    DraftDiscarded,
    ExtensionGiven,
    PairingChanged,
    RoundEnded,
    RoundPaired,
    RoundPaused,
    RoundPublished,
    RoundResumed,
    RoundStarted,
    RoundUnpublished,
)
from referee.tournament.acts.stages import CutMade, EventEnded, SettingsChosen, StageOpened, StageTakenBack
