"""The judge: which story is ahead, whether the piece stands, and when that is enough to act on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from controller.core.held import Hover
from controller.core.judge import Judge, Ranked, Standing
from controller.core.stories import History, Label, Meaning, Step, Story
from controller.core.storyteller import Storyteller
from controller.core.survey import Lifts, survey
from controller.core.tuning import Tuning
from tests.unit.controller.core.toy import (
    COUNT,
    START,
    InHand,
    ToyNode,
    ToyRules,
    at_rest,
    changed,
    over,
    show,
)

TOWERS = (1, 2, 0, 5, 1, 0, 0, 3, 1)
TUNING = Tuning()
MOVE = Label(Meaning.MOVE, ("01",))
ILLEGAL = Label(Meaning.ILLEGAL)
LANDED = Story({0: 0, 1: 3}, (Step(0, 1, 1),))
REPLY = Story({0: 0, 1: 3, 8: 0}, (Step(0, 1, 1),), 8)
SURE = Hover(50.0, 3.0, 1)


class Court:
    """A judge over the toy board."""

    def __init__(self, towers: tuple[int, ...] = TOWERS, tuning: Tuning = TUNING) -> None:
        self.places, self.belief, self.readings = at_rest(towers)
        self.towers = towers
        self.rules = ToyRules()
        self.history = History(self.rules, ToyNode(towers))
        self.lifts = Lifts()
        self.judge = Judge(tuning, self.places, self.lifts)
        self.teller = Storyteller(self.rules)

    @property
    def now_ms(self) -> int:
        return self.readings.t_ms

    def show(
        self,
        shown: Mapping[int, int],
        *,
        hand: InHand | None = None,
        frames: int = 15,
        aside_mt: Mapping[int, float] | None = None,
    ) -> None:
        """The board reads like this for some frames."""
        for _ in range(frames):
            show(
                self.places,
                self.belief,
                self.readings,
                changed(self.towers, shown),
                hand=hand,
                frames=1,
                aside_mt=aside_mt,
            )
            self.lifts.watch(survey(self.belief, self.places).emptied, self.now_ms)
        self.belief.look(self.places.window(range(COUNT)))

    def ranked(self) -> list[Ranked]:
        seen = survey(self.belief, self.places)
        stories = self.teller.tell(seen, self.belief, self.history, at_rest=True)
        return self.judge.rank(stories, self.belief, self.history)

    def standing(self) -> Standing | None:
        return self.judge.standing(self.ranked(), self.belief, self.now_ms)


def of(
    story: Story = LANDED,
    label: Label = MOVE,
    *,
    lead: float = 100.0,
    rest_ms: int = 400,
    hover: Hover = SURE,
) -> Standing:
    return Standing(story, label, lead, rest_ms, hover)


# ---------------------------------------------------------------- ranking


def test_the_true_story_is_first_and_knows_its_meaning() -> None:
    court = Court()
    court.show({0: 0, 1: 3})
    first = court.ranked()[0]
    assert (first.story.after, first.label) == ({0: 0, 1: 3}, MOVE)
    costs = [ranked.cost for ranked in court.ranked()]
    assert costs == sorted(costs)


def test_of_stories_that_leave_the_same_only_the_cheapest_stays() -> None:
    court = Court()
    court.show({0: 0, 1: 0, 4: 4})
    ranked = court.ranked()
    keys = [(r.story.placed, r.story.hand) for r in ranked]
    assert len(keys) == len(set(keys))
    assert ranked[0].label.keys == ("01", "14")


def test_what_the_rules_forbid_is_less_likely() -> None:
    court = Court(START)
    court.show({})
    legal, far, split = (
        court.judge.rank([story], court.belief, court.history)[0]
        for story in (
            Story({0: 0, 1: 2}, (Step(0, 1, 1),)),
            Story({0: 0, 4: 2}, (Step(0, 4, 1),)),
            Story({5: 2}, (Step(None, 5, 1),)),
        )
    )
    assert (legal.label.meaning, far.label.meaning, split.label.meaning) == (
        Meaning.MOVE,
        Meaning.ILLEGAL,
        Meaning.ILLEGAL,
    )
    assert far.cost - court.belief.cost(far.story.after) == pytest.approx(TUNING.illegal_cost)
    assert split.cost - court.belief.cost(split.story.after) == pytest.approx(TUNING.split_cost)
    assert legal.cost == pytest.approx(court.belief.cost(legal.story.after))


def test_a_lift_order_that_contradicts_a_story_makes_it_unlikely() -> None:
    court = Court()
    court.show({0: 0}, frames=5)
    court.show({0: 0, 8: 0}, frames=5)
    in_order = Story({0: 0, 1: 3, 8: 0}, (Step(0, 1, 1),), 8)
    against = Story({8: 0, 7: 4, 0: 0}, (Step(8, 7, 1),), 0)
    costs = {r.story.hand: r.cost for r in court.judge.rank([in_order, against], court.belief, court.history)}
    assert costs[8] == pytest.approx(court.belief.cost(in_order.after))
    assert costs[0] == pytest.approx(court.belief.cost(against.after) + TUNING.order_cost)


def test_a_piece_in_the_hand_leaves_what_it_means_open() -> None:
    court = Court()
    lifted = court.judge.rank([Story({0: 0}, hand=0)], court.belief, court.history)[0]
    assert lifted.label.meaning is Meaning.AGREED


# ---------------------------------------------------------------- what stands


def test_a_piece_that_stands_is_found_standing() -> None:
    court = Court()
    court.show({0: 0, 1: 3})
    standing = court.standing()
    assert standing is not None
    assert (standing.story.after, standing.label) == ({0: 0, 1: 3}, MOVE)
    assert standing.lead > TUNING.lead
    assert standing.rest_ms == 14 * court.readings.period_ms
    assert standing.hover.lead > 0.0
    assert court.judge.is_settled(standing)


def test_a_piece_held_close_above_does_not_stand() -> None:
    court = Court()
    court.show({0: 0}, hand=over(1, 1, 16.0 + 5.0))
    standing = court.standing()
    assert standing is None or not court.judge.is_settled(standing)


def test_before_anything_rests_nothing_stands() -> None:
    court = Court()
    court.show({0: 0, 1: 3}, frames=1)
    assert court.standing() is None
    court.show({0: 0, 1: 3}, frames=4)
    standing = court.standing()
    assert standing is not None
    assert not court.judge.is_settled(standing), "not yet"


def test_what_hardly_leads_does_not_stand() -> None:
    court = Court()
    court.show({0: 0, 1: 3})
    ranked = court.ranked()
    near = Ranked(ranked[0].cost + TUNING.least_lead - 0.1, Story({0: 0, 4: 2}, (Step(0, 4, 1),)), ILLEGAL)
    assert court.judge.standing([ranked[0], near], court.belief, court.now_ms) is None
    same = replace(near, story=LANDED)
    assert court.judge.standing([ranked[0], same], court.belief, court.now_ms) is not None, "no rival"
    alone = court.judge.standing(ranked[:1], court.belief, court.now_ms)
    assert alone is not None
    assert alone.lead == 1000.0


def test_what_does_not_fit_around_does_not_stand() -> None:
    court = Court()
    court.show({0: 0, 1: 3}, aside_mt={2: 0.6, 5: 0.6, 4: 0.3})
    assert court.judge.standing(court.ranked(), court.belief, court.now_ms) is None
    tolerant = Court(tuning=replace(TUNING, misfit=1000.0, misfit_tall=1000.0))
    tolerant.show({0: 0, 1: 3}, aside_mt={2: 0.6, 5: 0.6, 4: 0.3})
    assert tolerant.standing() is not None


def test_on_a_tall_tower_the_fit_must_be_closer() -> None:
    for tall, stands in ((5, True), (2, False)):
        court = Court(tuning=replace(TUNING, misfit=1000.0, misfit_tall=0.0, tall=tall))
        court.show({0: 0, 1: 3})
        assert (court.standing() is not None) is stands


def test_a_second_tower_in_the_hand_needs_no_rest_of_its_own() -> None:
    court = Court()
    court.show({0: 0, 1: 3}, frames=8)
    court.show({0: 0, 1: 3, 8: 0}, frames=3)
    standing = court.standing()
    assert standing is not None
    assert (standing.story.hand, standing.label) == (8, MOVE)


def test_of_two_pieces_the_likelier_held_one_counts() -> None:
    court = Court()
    court.show({0: 0, 1: 3}, frames=12)
    court.show({0: 0, 1: 3, 8: 0}, hand=over(7, 1, 24.0 + 5.0), frames=12)
    both = Story({0: 0, 1: 3, 8: 0, 7: 4}, (Step(0, 1, 1), Step(8, 7, 1)), keys=("01", "87"))
    ranked = court.judge.rank([both], court.belief, court.history)
    tolerant = Judge(replace(TUNING, misfit=1e6, misfit_tall=1e6), court.places, court.lifts)
    standing = tolerant.standing(ranked, court.belief, court.now_ms)
    assert standing is not None
    assert standing.hover.lead < 0.0


def test_pieces_that_landed_on_one_another_are_both_weighed() -> None:
    court = Court()
    court.show({0: 0, 4: 0, 1: 4})
    both = Story({0: 0, 4: 0, 1: 4}, (Step(0, 1, 1), Step(4, 1, 1)), keys=("01", "41"))
    ranked = court.judge.rank([both], court.belief, court.history)
    tolerant = Judge(replace(TUNING, misfit=1e6, misfit_tall=1e6), court.places, court.lifts)
    standing = tolerant.standing(ranked, court.belief, court.now_ms)
    assert standing is not None
    assert standing.hover.place == 1
    assert standing.hover.lead > 0.0


# ---------------------------------------------------------------- enough to act on


@pytest.mark.parametrize(
    ("rest_ms", "lead", "settled"),
    [
        (TUNING.settle_ms, TUNING.lead, True),
        (TUNING.settle_ms - 1, TUNING.lead, False),
        (TUNING.settle_ms, TUNING.lead - 0.1, False),
        (TUNING.patience_ms - 1, TUNING.lead - 0.1, False),
        (TUNING.patience_ms, TUNING.lead - 0.1, True),
    ],
)
def test_a_legal_move_is_settled_after_a_rest(rest_ms: int, lead: float, settled: bool) -> None:
    assert Court().judge.is_settled(of(rest_ms=rest_ms, lead=lead)) is settled


@pytest.mark.parametrize(
    ("rest_ms", "lead", "settled"),
    [
        (TUNING.settle_illegal_ms, TUNING.illegal_lead, True),
        (TUNING.settle_illegal_ms - 1, TUNING.illegal_lead, False),
        (TUNING.settle_illegal_ms, TUNING.illegal_lead - 0.1, False),
        (TUNING.patience_ms, TUNING.illegal_lead - 0.1, True),
    ],
)
def test_a_mistake_must_be_clearer(rest_ms: int, lead: float, settled: bool) -> None:
    assert Court().judge.is_settled(of(label=ILLEGAL, rest_ms=rest_ms, lead=lead)) is settled


def test_a_piece_that_may_be_held_needs_time() -> None:
    judge = Court().judge
    high = Hover(-3.0, TUNING.low_mm + 5.0, 1)
    assert not judge.is_settled(of(hover=high, rest_ms=900))
    assert judge.is_settled(of(hover=high, rest_ms=3000))
    low = Hover(-5.0, (TUNING.touching_mm + TUNING.low_mm) / 2, 1)
    assert not judge.is_settled(of(hover=low, rest_ms=160))
    assert judge.is_settled(of(hover=low, rest_ms=700))


def test_hands_that_rest_low_teach_care() -> None:
    court = Court()
    held = Hover(TUNING.low_rest_lead - 1.0, (TUNING.least_low_mm + TUNING.low_rest_mm) / 2, 4)
    between = Hover(-3.0, (TUNING.touching_mm + TUNING.low_mm) / 2, 1)
    assert court.judge.is_settled(of(hover=between, rest_ms=300))
    court.judge._note_rest(of(hover=held))
    court.judge.learn(LANDED)
    assert court.judge.careful
    assert not court.judge.is_settled(of(hover=between, rest_ms=300)), "only time tells now"
    assert court.judge.is_settled(of(hover=between, rest_ms=700))


@pytest.mark.parametrize(
    "standing",
    [
        of(REPLY, hover=Hover(-100.0, 6.0, 4)),
        of(hover=Hover(-100.0, 6.0, 4), rest_ms=TUNING.low_rest_ms - 1),
        of(hover=Hover(TUNING.low_rest_lead, 6.0, 4)),
        of(hover=Hover(-100.0, TUNING.least_low_mm, 4)),
        of(hover=Hover(-100.0, TUNING.low_rest_mm, 4)),
        of(hover=Hover(-100.0, 6.0, 0)),
        of(hover=Hover(-100.0, 6.0, 1)),
    ],
    ids=["a reply", "too short", "too unsure", "too low", "too high", "over its own place", "over its goal"],
)
def test_what_is_no_low_rest_teaches_nothing(standing: Standing) -> None:
    judge = Court().judge
    judge._note_rest(standing)
    judge.learn(LANDED)
    assert not judge.careful


def test_a_rest_is_forgotten_once_the_piece_stands_there() -> None:
    judge = Court().judge
    judge._note_rest(of(hover=Hover(-100.0, 6.0, 1)))
    judge.learn(LANDED)
    judge.learn(Story({8: 0, 7: 4}, (Step(8, 7, 1),)))
    assert not judge.careful


def test_a_reply_proves_the_move_before_it() -> None:
    court = Court()
    court.show({0: 0, 1: 3, 8: 0}, frames=2)
    assert court.lifts.is_up(8)
    assert court.judge.is_settled(of(REPLY, rest_ms=0))
    assert not court.judge.is_settled(of(REPLY, rest_ms=0, lead=TUNING.lead - 0.1))
    assert not court.judge.is_settled(of(REPLY, ILLEGAL, rest_ms=5000))


def test_a_reply_whose_lift_is_not_sure_yet_proves_nothing() -> None:
    court = Court()
    court.show({0: 0, 1: 3, 8: 0}, frames=1)
    assert not court.judge.is_settled(of(REPLY, rest_ms=400))


def test_a_reply_lifted_before_the_move_is_not_taken_for_one() -> None:
    court = Court()
    court.show({8: 0}, frames=4)
    court.show({0: 0, 1: 3, 8: 0}, frames=4)
    assert not court.judge.is_settled(of(REPLY, rest_ms=400))


def test_a_milestone_is_a_rest_of_a_few_frames() -> None:
    court = Court()
    court.show({0: 0, 1: 3}, frames=6)
    judge, belief = court.judge, court.belief
    assert judge.is_milestone(of(rest_ms=60, lead=TUNING.milestone_lead), belief)
    assert not judge.is_milestone(of(rest_ms=60, lead=TUNING.milestone_lead - 0.1), belief)
    assert not judge.is_milestone(of(REPLY), belief)
    assert not judge.is_milestone(of(label=ILLEGAL), belief)
    assert not judge.is_milestone(of(rest_ms=60, hover=Hover(-30.0, 4.0, 1)), belief)
    court.show({0: 0, 1: 3}, frames=1, aside_mt={4: 1.0})
    assert not judge.is_milestone(of(), belief), "something moved close by"


# ---------------------------------------------------------------- questions


def likely(*moves: tuple[str, float], meaning: Meaning = Meaning.MOVE) -> Sequence[Ranked]:
    return [
        Ranked(
            cost,
            Story({int(key[0]): 0, int(key[1]): 2}, (Step(int(key[0]), int(key[1]), 1),)),
            Label(meaning, (key,)),
        )
        for key, cost in moves
    ]


def asked(court: Court, ranked: Sequence[Ranked]) -> tuple[str, ...]:
    return court.judge.question(list(ranked), court.belief, court.now_ms)


def test_the_players_are_asked_where_moves_fit_alike_at_rest() -> None:
    court = Court()
    court.show({}, frames=80)
    near, far = TUNING.ask_within - 0.1, TUNING.ask_within
    assert asked(court, likely(("41", 0.0), ("47", near))) == ("41", "47")
    assert asked(court, likely(("47", 0.0), ("41", near), ("01", far))) == ("41", "47")
    assert asked(court, likely(("41", 0.0), ("47", far))) == ()
    assert asked(court, likely(("41", 0.0))) == ()


def test_nobody_is_asked_before_the_board_rests() -> None:
    court = Court()
    court.show({}, frames=80)
    court.show({}, frames=40, aside_mt={4: 1.0})
    assert asked(court, likely(("41", 0.0), ("47", 1.0))) == ()


def test_nobody_is_asked_about_what_is_no_move() -> None:
    court = Court()
    court.show({}, frames=80)
    mistakes = likely(("41", 0.0), ("47", 1.0), meaning=Meaning.ILLEGAL)
    assert asked(court, mistakes) == ()
    assert asked(court, [mistakes[0], *likely(("47", 1.0), ("41", 2.0))]) == ()
    in_hand = Ranked(0.0, Story({4: 0}, hand=4), Label(Meaning.AGREED))
    assert asked(court, [in_hand, *likely(("47", 1.0), ("41", 2.0))]) == ()
    double = Ranked(1.0, Story({4: 0, 7: 4}, (Step(4, 7, 1),)), Label(Meaning.MOVE, ("47", "01")))
    assert asked(court, [*likely(("41", 0.0)), double]) == ()


# ---------------------------------------------------------------- rest


def test_a_rest_is_the_shortest_of_its_places() -> None:
    court = Court()
    court.show({}, frames=10)
    court.show({}, frames=5, aside_mt={4: 1.0})
    assert court.judge.rest_ms([4], court.now_ms) == 80
    assert court.judge.rest_ms([0, 4], court.now_ms) == 80
    assert court.judge.rest_ms([0], court.now_ms) >= 280
    court.places.mask({4})
    assert court.judge.rest_ms([0, 4], court.now_ms) >= 280, "what cannot be trusted does not count"
    assert court.judge.rest_ms([4], court.now_ms) == court.judge.rest_ms([], court.now_ms) == 0


def test_what_lies_around_the_ends_of_steps() -> None:
    court = Court()
    assert set(court.judge.around([Step(8, 0, 1), Step(4, None, 1)], court.belief)) == {0, 1, 3, 4}
    assert court.judge.around([], court.belief) == ()
