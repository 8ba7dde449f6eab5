import numpy as np

from jurat.stats.bias.groups import permute_groups, shuffle_labels

LABELS = np.array([0, 0, 1, 1, 2])


def test_labels_change_places_and_stay_as_many():
    found = shuffle_labels(np.random.default_rng(1), 200, LABELS, np.zeros(5, dtype=np.int64))
    assert (np.sort(found, axis=1) == LABELS).all()
    # each judge has each label as often as it is there: 2/5, 2/5, 1/5
    assert np.abs((found == 2).mean(axis=0) - 0.2).max() < 0.1


def test_labels_of_one_person_stay_his():
    person = np.array([0, 1, 0, 1, 1])
    found = shuffle_labels(np.random.default_rng(1), 100, LABELS, person)
    assert (np.sort(found[:, person == 0], axis=1) == [0, 1]).all()
    assert (np.sort(found[:, person == 1], axis=1) == [0, 1, 2]).all()
    assert len(np.unique(found, axis=0)) == 12


def test_the_p_value_is_the_share_of_relabellings():
    """Of the six ways to label four judges in pairs, one gives the observed sum or more."""
    values = np.array([1.0, 2.0, 3.0, 4.0])
    test = permute_groups(
        lambda labels, numbers: (labels == 1) @ numbers,
        (values,),
        labels=np.array([0, 0, 1, 1]),
        person=np.arange(4),
        units=4,
        seed=1,
    )
    assert test.estimate == 7
    assert abs(float(test.p_value("greater")) - 1 / 6) < 0.015


def test_the_same_seed_gives_the_same_with_fewer_permutations_for_many_units():
    def run(units):
        return permute_groups(
            lambda labels, numbers: labels @ numbers,
            (np.arange(5.0),),
            labels=LABELS,
            person=np.arange(5),
            units=units,
            seed=1,
        )

    assert run(5).replicates.tolist() == run(5).replicates.tolist()
    assert len(run(5).replicates) == 9_999
    assert len(run(2**40).replicates) == 199
