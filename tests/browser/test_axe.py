"""The checker looks at two of many equal neighbours, and at every one that differs."""

from playwright.sync_api import Page

from tests.browser.axe import violations

ROW = '<tr><td>words</td><td><a href="/{0}" id="a{0}">more words</a></td></tr>'
FAULTS = {
    "color-contrast": '<tr><td>words</td><td style="color: #ccc">more words</td></tr>',
    "image-alt": '<tr><td>words</td><td><img src="x"></td></tr>',
    "label": "<tr><td>words</td><td><input></td></tr>",
    "link-name": '<tr><td>words</td><td><a href="/7" id="a7"></a></td></tr>',
}


def test_a_fault_in_one_of_many_rows_is_found(page: Page) -> None:
    rows = [ROW.format(n) for n in range(20)]
    rows[9:9] = FAULTS.values()
    head = "<thead><tr><th>One</th><th>Two</th></tr></thead>"
    page.set_content(
        '<!doctype html><html lang="en"><title>Rows</title>'
        f"<main><h1>Rows</h1><table>{head}<tbody>{''.join(rows)}</tbody></table></main></html>"
    )
    assert {found.partition(":")[0] for found in violations(page)} == set(FAULTS)


def test_of_equal_rows_two_are_looked_at(page: Page) -> None:
    faint = '<p style="color: #ccc">Words that are hard to read, number {}</p>'
    fields = "<label for={0}>Words</label><input id={0} class={0}>"
    body = "".join([*map(faint.format, range(9)), *map(fields.format, "abcd")])
    page.set_content(f'<html lang="en"><title>Rows</title><main><h1>Rows</h1>{body}</main></html>')
    assert len(violations(page, only="color-contrast")) == 2
    assert violations(page, only="label") == []  # all labels are there for fields that differ
    assert page.locator("p").count() == 9
