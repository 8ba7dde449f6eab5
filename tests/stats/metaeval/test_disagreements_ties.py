"""Translations that people tell apart and a metric scores alike, as in Sun's Table 3."""

from tests.stats.metaeval.asking import FIGURE, asked, figure, results, values

TEXTS = "segment,1,2,3,4\n1,same,two,three,same\n2,x,y,z,w\n"


def undifferentiated(*arguments):
    return results("metric-undifferentiated", *arguments)["metric-undifferentiated"]


def test_suns_sheet():
    """Three of four judges tell two outputs apart unless L4 ties them too."""
    found = values(undifferentiated(*figure()))
    # BLEU ties outputs 1 and 4 of the first segment, which L3 and L4 tie: no majority
    assert (found["BLEU",].value, found["BLEU",].n) == (0, 8)
    assert found["GTM",].value == 1  # 3 and 4 of the second
    assert found["TER",].value == 1  # 2 and 4 of the second; 2 and 3 of the first are tied by two


def test_translations_that_are_the_same_are_left_out():
    csv = "segment,system,value,m\n1,a,1,5\n1,b,2,5\n2,a,1,5\n2,b,2,5\n"
    result = undifferentiated(*asked(csv))
    assert values(result)["m",].value == 2
    assert "all pairs are taken for different" in result.method
    read = undifferentiated(*asked(csv, texts="segment,a,b\n1,same,same\n2,one,other\n"))
    assert (values(read)["m",].value, values(read)["m",].n) == (1, 1)
    assert "all pairs" not in read.method
    some = undifferentiated(*asked(csv, texts="segment,a,b\n1,same,same\n"))
    assert values(some)["m",].value == 1


def test_texts_find_their_segments():
    evaluation, settings = asked(
        FIGURE, judges=("L1",), lower_better=True, texts=TEXTS, metrics=("BLEU",)
    )
    found = values(undifferentiated(evaluation, settings))
    assert found["BLEU",].value == 0
    assert found["BLEU",].n == 11


def test_headlines():
    csv = "segment,system,value,m\n1,a,1,5\n1,b,2,5\n"
    assert (
        "m scores 1 pair alike that most judges tell apart"
        in undifferentiated(*asked(csv)).headline
    )
    other = "segment,system,value,m\n1,a,1,5\n1,b,2,6\n"
    assert "has different scores" in undifferentiated(*asked(other)).headline
    alone = undifferentiated(*asked("segment,system,value,m\n1,a,1,5\n"))
    assert alone.estimates[0].value is None
