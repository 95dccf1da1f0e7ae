"""Limits of a list, and searches that compare whole lists, against every list written out."""

from itertools import permutations, product

import numpy as np
import pytest

from rocviz.core.scoring_lists.search.search import learn_scoring_list
from rocviz.core.scoring_lists.search.stage_loss import stage_loss


def data(seed, n=25, d=4, values=2):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, values, (n, d))
    y = rng.random(n) < 1 / (1 + np.exp(1 - X @ rng.normal(size=d)))
    y[:2] = [False, True]
    return X, y


def loss_of(total, y, loss="entropy"):
    values = np.unique(total)[::-1]
    pos = [np.sum(y & (total == t)) for t in values]
    neg = [np.sum(~y & (total == t)) for t in values]
    return float(stage_loss(pos, neg, loss))


def losses_of(X, y, features, scores, loss="entropy"):
    """Losses along a list."""
    totals = np.cumsum(
        [np.zeros(len(y)), *(X[:, f] * s for f, s in zip(features, scores, strict=True))], axis=0
    )
    return [loss_of(total, y, loss) for total in totals]


def every_list(X, y, scores, length):
    """Every list of that length: its features, scores and losses."""
    for features in permutations(range(X.shape[1]), length):
        for chosen in product(scores, repeat=length):
            yield features, chosen, losses_of(X, y, features, chosen)


# ---------------------------------------------------------------------- what is given


def test_a_prefix_comes_first_at_any_loss():
    X, y = data(0)
    learned = learn_scoring_list(X, y, prefix=[(3, 1), (1, -2)])
    assert learned.features[:2].tolist() == [3, 1]
    assert learned.scores[:2].tolist() == [1, -2]
    np.testing.assert_allclose(
        learned.stage_losses, losses_of(X, y, learned.features, learned.scores), atol=1e-12
    )
    free = learn_scoring_list(X, y)
    again = learn_scoring_list(X, y, prefix=list(zip(free.features, free.scores, strict=True)))
    np.testing.assert_array_equal(again.stage_losses, free.stage_losses)


def test_open_parts_of_a_prefix_are_learned():
    X, y = data(1, values=5)
    x = X[:, [2]]
    alone = learn_scoring_list(x, y, thresholds="brute")
    for line in [(2,), (2, None), (2, int(alone.scores[0])), (2, None, alone.thresholds[0])]:
        learned = learn_scoring_list(X, y, prefix=[line], thresholds="brute", max_stages=1)
        assert learned.features.tolist() == [2]
        assert learned.scores[0] == alone.scores[0]
        assert learned.thresholds[0] == alone.thresholds[0]
    kept = learn_scoring_list(X, y, prefix=[(2, 1, np.inf), (0, 2, -np.inf)], thresholds="brute")
    assert kept.thresholds[:2].tolist() == [np.inf, -np.inf]
    np.testing.assert_allclose(kept.stage_losses[:3], loss_of(0 * y, y))
    open_ = learn_scoring_list(X, y, prefix=[(2, 3, np.nan)], thresholds="brute")
    assert np.isfinite(open_.thresholds[0])


def test_a_prefix_may_have_scores_of_missing_values():
    X = np.array([[1, 0], [1, 1], [np.nan, 1], [0, 0]])
    y = [1, 1, 0, 0]
    learned = learn_scoring_list(X, y, prefix=[(0, 2, None, -5), (1, 1, None, 4)], missing="zero")
    assert learned.missing_scores.tolist() == [-5, 4]
    np.testing.assert_allclose(learned.stage_losses, [1, 0, 0])


def test_scores_of_single_features():
    X, y = data(2)
    learned = learn_scoring_list(X, y, score_set=(1, 2), allowed_scores={0: (-1,), 2: (5, 7)})
    by_feature = dict(zip(learned.features.tolist(), learned.scores.tolist(), strict=True))
    assert by_feature[0] == -1
    assert by_feature[2] in (5, 7)
    assert {by_feature[1], by_feature[3]} <= {1, 2}


# ---------------------------------------------------------------------- where a list ends


def test_most_stages():
    X, y = data(3, n=60, d=6)
    whole = learn_scoring_list(X, y)
    assert whole.stop_reason == "all features"
    assert (len(whole), whole.stage_losses.size) == (6, 7)
    for n_stages in (0, 2):
        short = learn_scoring_list(X, y, max_stages=n_stages)
        assert short.stop_reason == "max_stages"
        np.testing.assert_array_equal(short.stage_losses, whole.stage_losses[: n_stages + 1])
    assert learn_scoring_list(X, y, max_stages=99).stop_reason == "all features"


@pytest.mark.parametrize("search", ["greedy", "beam", "exhaustive"])
def test_a_list_may_end_when_nothing_helps(search):
    X, y = data(4, n=16)
    X = np.column_stack((y, X))
    options = {"search": search, "score_set": (-1, 1)}
    assert len(learn_scoring_list(X, y, **options)) == 5
    scoring_list = learn_scoring_list(X, y, tol=0.0, **options)
    assert (len(scoring_list), scoring_list.stop_reason) == (1, "tol")
    none = learn_scoring_list(X, y, tol=2.0, **options)
    assert (len(none), none.stop_reason) == (0, "tol")
    low = learn_scoring_list(X, y, loss_cutoff=0.5, **options)
    assert (len(low), low.stop_reason) == (1, "loss_cutoff")
    forced = learn_scoring_list(X, y, tol=2.0, prefix=[(2, 1), (3, 1)], **options)
    assert (len(forced), forced.stop_reason) == (2, "tol")


# ---------------------------------------------------------------------- what features cost


def test_greedy_takes_the_most_loss_per_cost():
    X, y = data(5, n=80)
    costs = np.array([1.0, 5.0, 0.2, 3.0])
    learned = learn_scoring_list(X, y, feature_costs=costs, score_set=(-1, 1))
    left = set(range(4))
    losses = [loss_of(0 * y, y)]
    features = []
    scores = []
    while left:
        candidates = []
        for f, s in product(sorted(left), (1, -1)):
            loss = losses_of(X, y, [*features, f], [*scores, s])[-1]
            gain = losses[-1] - loss
            candidates.append((-(gain / costs[f] if gain > 0 else gain * costs[f]), f, s, loss))
        _, f, s, loss = min(candidates)
        features.append(f)
        scores.append(s)
        losses.append(loss)
        left.remove(f)
    assert learned.features.tolist() == features
    np.testing.assert_allclose(learned.stage_losses, losses, atol=1e-12)


@pytest.mark.parametrize(
    "options",
    [{}, {"lookahead": 2}, {"search": "beam"}, {"search": "exhaustive", "score_set": (-1, 1)}],
)
def test_no_list_costs_more_than_the_budget(options):
    X, y = data(6, n=50, d=5)
    costs = np.array([0.1, 0.2, 0.3, 0.4, 0.5])
    for budget in (0.05, 0.3, 0.6, 0.9, 1.5):
        learned = learn_scoring_list(X, y, feature_costs=costs, budget=budget, **options)
        spent = costs[learned.features].sum()
        assert spent <= budget + 1e-9
        rest = np.delete(costs, learned.features)
        assert not rest.size or rest.min() > budget - spent + 1e-12
        assert learned.stop_reason == ("all features" if budget == 1.5 else "budget")


def test_the_best_list_within_a_budget():
    X, y = data(7, d=3)
    costs = np.array([2.0, 1.0, 1.5])
    budget = 2.6

    def padded(losses):
        return sum(losses) + (3 - len(losses) + 1) * losses[-1]

    lists = []
    for length in range(4):
        for features, _, losses in every_list(X, y, (-1, 1, 2), length):
            cost = costs[list(features)].sum()
            others = {0, 1, 2} - set(features)
            could_grow = any(cost + costs[j] <= budget for j in others)
            if cost <= budget and not could_grow:
                lists.append(losses)
    scoring_list = learn_scoring_list(
        X, y, score_set=(-1, 1, 2), feature_costs=costs, budget=budget, search="exhaustive"
    )
    assert padded(scoring_list.stage_losses.tolist()) == pytest.approx(min(map(padded, lists)))
    wide = learn_scoring_list(
        X, y, score_set=(-1, 1, 2), feature_costs=costs, budget=budget, search="beam", beam_width=99
    )
    np.testing.assert_allclose(wide.stage_losses, scoring_list.stage_losses)


# ---------------------------------------------------------------------- whole lists


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("length", [2, 3])
def test_the_best_of_all_lists(seed, length):
    X, y = data(seed, n=15, d=3)
    scores = (-1, 1, 2)
    lists = list(every_list(X, y, scores, length))
    options = {"score_set": scores, "max_stages": length}
    # the documented order: feature by feature, large scores first, positive before negative
    tie = {s: i for i, s in enumerate((2, 1, -1))}

    def first(candidates):
        return min(candidates, key=lambda row: [(f, tie[s]) for f, s in zip(*row[:2], strict=True)])

    best = min(sum(losses) for *_, losses in lists)
    expected = first([row for row in lists if sum(row[2]) <= best + 1e-12])
    for search in ({"search": "exhaustive"}, {"search": "beam", "beam_width": 500}):
        learned = learn_scoring_list(X, y, **search, **options)
        assert learned.stage_losses.sum() == pytest.approx(best, abs=1e-12)
        if search["search"] == "exhaustive":
            assert tuple(learned.features) == expected[0]
            assert tuple(learned.scores) == expected[1]
    # looking as far ahead as the list is long is looking everywhere
    ahead = learn_scoring_list(X, y, lookahead=length, **options)
    assert ahead.stage_losses.sum() == pytest.approx(best, abs=1e-12)

    last = min(losses[-1] for *_, losses in lists)
    mean = min(sum(losses) for *_, losses in lists if losses[-1] <= last + 1e-12)
    for search in ({"search": "exhaustive"}, {"search": "beam", "beam_width": 500}):
        learned = learn_scoring_list(X, y, objective="last", **search, **options)
        assert learned.stage_losses[-1] == pytest.approx(last, abs=1e-12)
        assert learned.stage_losses.sum() == pytest.approx(mean, abs=1e-12)


def test_a_beam_of_one_is_greedy():
    X, y = data(8, n=60, d=6)
    for how in (None, "brute", "bisect"):
        beam = learn_scoring_list(X, y, search="beam", beam_width=1, thresholds=how)
        greedy = learn_scoring_list(X, y, thresholds=how)
        np.testing.assert_array_equal(beam.features, greedy.features)
        np.testing.assert_array_equal(beam.scores, greedy.scores)
        np.testing.assert_array_equal(beam.stage_losses, greedy.stage_losses)


def test_a_beam_keeps_one_order_of_the_same_items():
    grown = []
    learn_scoring_list(
        *data(9, d=3),
        score_set=(1,),
        search="beam",
        beam_width=99,
        should_stop=lambda: grown.append(1),
    )
    assert len(grown) == 1 + 3 + 3


@pytest.mark.parametrize("objective", ["mean", "last"])
def test_lookahead_finds_the_best_within_its_horizon(objective):
    X, y = data(10, n=30, d=4)
    scores = (-1, 1)
    learned = learn_scoring_list(X, y, score_set=scores, lookahead=2, objective=objective)
    features = []
    chosen = []
    while len(features) < 4:
        left = [f for f in range(4) if f not in features]
        candidates = []
        for more in permutations(left, min(2, len(left))):
            for s in product((1, -1), repeat=len(more)):
                losses = losses_of(X, y, [*features, *more], [*chosen, *s])[len(features) + 1 :]
                key = [round(sum(losses), 11)]
                if objective == "last":
                    key.insert(0, round(losses[-1], 11))
                order = [(f, -x) for f, x in zip(more, s, strict=True)]
                candidates.append((key, order, more[0], s[0]))
        *_, f, s = min(candidates)
        features.append(f)
        chosen.append(s)
    assert learned.features.tolist() == features
    assert learned.scores.tolist() == chosen


def test_all_lists_with_thresholds_gaps_and_pairs():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (10, 2)).astype(float)
    X[[0, 3], 0] = np.nan
    y = rng.random(10) < 0.5
    options = {"score_set": (-1, 1), "missing": "score", "thresholds": "brute"}
    wide = learn_scoring_list(X, y, search="beam", beam_width=1000, **options)
    scoring_list = learn_scoring_list(X, y, search="exhaustive", **options)
    assert scoring_list.stage_losses.sum() <= wide.stage_losses.sum() + 1e-12
    pairs = np.array(list(product(np.flatnonzero(y), np.flatnonzero(~y))))
    ranked = learn_scoring_list(X, y, loss="raw_rank", search="exhaustive", **options)
    from_pairs = learn_scoring_list(X, pairs=pairs, loss="rank", search="exhaustive", **options)
    np.testing.assert_allclose(from_pairs.stage_losses, ranked.stage_losses)
    with_prefix = learn_scoring_list(X, y, search="exhaustive", prefix=[(1, 1)], **options)
    assert with_prefix.features[0] == 1


@pytest.mark.parametrize("options", [{"lookahead": 2}, {"search": "beam", "beam_width": 99}])
def test_stretches_of_thresholds_hide_none_that_is_needed_later(options):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 2)).round(2)
    y = X.sum(axis=1) + rng.normal(size=60) > 0
    options = {"score_set": (-1, 2), "thresholds": "brute", **options}
    learned = learn_scoring_list(X, y, loss="raw_rank", **options)
    # a function as loss is computed for every threshold
    all_tried = learn_scoring_list(X, y, loss=lambda segments: 1 - segments.auc, **options)
    np.testing.assert_allclose(learned.stage_losses, all_tried.stage_losses)
    np.testing.assert_array_equal(learned.thresholds, all_tried.thresholds)


def test_all_lists_in_small_blocks(monkeypatch):
    X, y = data(11, n=30, d=5)
    options = {"search": "exhaustive", "score_set": (-1, 1)}
    whole = learn_scoring_list(X, y, **options)
    monkeypatch.setattr("rocviz.core.scoring_lists.search.search.MAX_CELLS", 100)
    parts = learn_scoring_list(X, y, **options)
    np.testing.assert_allclose(parts.stage_losses, whole.stage_losses)


@pytest.mark.parametrize(
    ("d", "options", "message"),
    [
        (12, {"search": "exhaustive"}, r"1\.38e\+10 sets.*max_states=5e\+06.*search='beam'"),
        (4, {"search": "exhaustive", "max_states": 100}, r"2\.4e\+03 sets.*max_states=100"),
        # 1e-5 s for each sequence of five of 20 features with six scores, at each of 20 stages
        (20, {"lookahead": 5}, r"^lookahead=5 would take about 804 hours \(at most 24\)"),
        (300, {"lookahead": 10**9}, r"^lookahead=1000000000 would take about .* hours"),
        (
            10,
            {"search": "beam", "beam_width": 10**9},
            "^beam_width=1000000000 would take",
        ),
    ],
)
def test_too_large_searches_are_refused_at_once(d, options, message):
    with pytest.raises(ValueError, match=message):
        learn_scoring_list(*data(12, d=d), **options)


@pytest.mark.parametrize("options", [{"lookahead": 10**9}, {"search": "beam", "beam_width": 10**9}])
def test_few_features_exceed_no_limit(options):
    assert len(learn_scoring_list(*data(12, d=2), score_set=(1, 2), **options)) == 2


# ---------------------------------------------------------------------- long searches


SEARCHES = [{}, {"lookahead": 2}, {"search": "beam"}, {"search": "exhaustive", "score_set": (1, 2)}]


@pytest.mark.parametrize("options", SEARCHES)
def test_progress_runs_from_nothing_to_all(options):
    X, y = data(16, d=5)
    seen = []
    learn_scoring_list(X, y, progress=lambda done, total: seen.append((done, total)), **options)
    done = [d / t for d, t in seen]
    assert done == sorted(done)
    assert done[0] < 0.2
    assert done[-1] == 1


@pytest.mark.parametrize("interrupt", [False, True])
@pytest.mark.parametrize("options", SEARCHES)
def test_stopping_keeps_the_best_list_so_far(options, interrupt):
    X, y = data(17, d=5)
    whole = learn_scoring_list(X, y, **options)
    lengths = set()
    for stop_at in (0, 3, 12, 40, 10**6):
        calls = iter(range(10**7))

        def should_stop(calls=calls, stop_at=stop_at):
            if next(calls) >= stop_at:
                if interrupt:
                    raise KeyboardInterrupt
                return True
            return False

        learned = learn_scoring_list(X, y, should_stop=should_stop, **options)
        lengths.add(len(learned))
        np.testing.assert_allclose(
            learned.stage_losses, losses_of(X, y, learned.features, learned.scores), atol=1e-12
        )
        if len(learned) < len(whole):
            assert learned.stop_reason == "stopped"
            shorter = learn_scoring_list(X, y, max_stages=len(learned), **options)
            if "lookahead" not in options:
                np.testing.assert_allclose(learned.stage_losses, shorter.stage_losses)
    assert {0, 5} <= lengths
    assert len(lengths) > 2
