"""HEval's own example and small tables like it."""

from tests.stats.tables import evaluation

FEATURES = tuple(f"f{n}" for n in range(1, 12))
SENTENCE_150 = """engine,judge,f1,f2,f3,f4,f5,f6,f7,f8,f9,f10,f11,adequacy
    E1,Human1,3,4,4,NA,3,2,3,4,3,3,3,3
    E1,Human2,2,4,4,NA,3,3,3,4,2,2,2,
    E2,Human1,4,4,4,NA,4,3,4,4,4,3,3,4
    E2,Human2,4,4,4,NA,4,4,4,4,4,3,3,"""
"""Joshi et al. 2013, Table 13, in part."""

SMALL = """judge,document,segment,system,construct,tense,voice
    a,d1,1,X,gerund,4,0
    a,d1,2,X,that,2,2
    a,d2,3,X,gerund,NA,1
    b,d1,1,X,gerund,3,1
    a,d1,1,Y,gerund,4,4
    a,d1,2,Y,that,3,NA
    a,d2,3,Y,gerund,4,2
    b,d1,1,Y,gerund,2,2"""
"""Scores of X: a .5 .5 .25, b .5; of Y: a 1 .75 .75, b .5."""


def sentence_150(**options):
    return evaluation(
        SENTENCE_150, columns="system=engine", questions=(*FEATURES, "adequacy"), **options
    )


def small(**options):
    return evaluation(SMALL, questions=("tense", "voice"), **options)


def by(result, **keys):
    """The one estimate with exactly these keys beside the question."""
    wanted = {str(k): v for k, v in keys.items()}
    found = [
        e for e in result.estimates if {k: v for k, v in e.by.items() if k != "question"} == wanted
    ]
    assert len(found) == 1, [e.by for e in result.estimates]
    return found[0]
