"""The translations, from a file of their own or beside the judgments."""

import pytest

from jurat.errors import InputError
from jurat.stats.metaeval.input_tables import read_texts, texts_from_judgments
from tests.stats.metaeval.asking import table


def test_a_column_a_system():
    texts = read_texts(table("segment,ref,a,b,c\n1,R,x,y,\n"), ["a", "b", "c", "d"])
    assert texts.translations.rows() == [("1", "a", "x"), ("1", "b", "y")]
    assert texts.context.rows(named=True) == [{"segment": "1", "ref": "R"}]


def test_a_row_a_translation():
    csv = "document,segment,system,mt,source\nd,1,a,x,S\nd,1,b,y,S\n"
    texts = read_texts(table(csv), ["a", "b"])
    assert texts.translations.rows() == [("d", "1", "a", "x"), ("d", "1", "b", "y")]
    assert texts.context.rows() == [("d", "1", "S")]


def test_columns_may_be_mapped():
    csv = "line,name,words\n1,a,x\n"
    texts = read_texts(table(csv), ["a"], columns="segment=line,system=name,text=words")
    assert texts.translations.rows() == [("1", "a", "x")]


@pytest.mark.parametrize("csv", ["segment,z\n1,x\n", "a,b\nx,y\n"])
def test_what_is_no_table_of_texts(csv):
    with pytest.raises(InputError, match="segment, system and text"):
        read_texts(table(csv), ["a", "b"])


def test_beside_the_judgments():
    judged = table("segment,system,mt,src\n1,a,x,S\n")
    texts = texts_from_judgments(judged)
    assert texts is not None
    assert texts.translations.rows() == [("1", "a", "x")]
    assert texts.context.rows() == [("1", "S")]
    assert texts_from_judgments(table("segment,system\n1,a\n")) is None
    assert texts_from_judgments(table("segment,mt\n1,x\n")) is None
