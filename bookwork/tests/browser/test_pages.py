"""The fixture `page` sees to it that nothing is asked of another host and no error is logged."""


def test_the_fixture_notices_another_host_and_a_missing_file(page, server):
    page.forgiven += ["192.0.2.1", "no-such-file", "status of 404", "ERR_"]
    page.goto("about:blank")  # where no policy forbids it
    page.evaluate("() => void fetch('http://192.0.2.1/').catch(() => null)")  # waits for no answer
    page.goto(f"{server}/search.html")
    with page.expect_response("**/no-such-file"):
        page.evaluate("() => fetch('no-such-file')")
    assert "asked another host: http://192.0.2.1/" in page.faults
    assert f"404: {server}/no-such-file" in page.faults
