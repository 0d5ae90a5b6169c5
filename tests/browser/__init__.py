"""The site in a real browser: Debian's chromium, driven by Playwright.

How to write such a test:

    from tests.browser.looking import no_wider_than_screen
    from tests.browser.working import run_queue

    def test_a_day_can_be_crawled(page_as, site):
        page = page_as("operator", width=390)
        page.goto(f"{site}/admin/crawl/")
        page.get_by_role("button", name="开始").click()
        run_queue()
        no_wider_than_screen(page)

- `site` is the address of the whole site on the test's own database and data folder. Rows are made with
  `tests.factories` and `tests.roles`; they are committed and taken away after the test.
- `page_as(role, width=1440, dark=False, javascript=True, language="zh-hans")` is a page of a new browser profile,
  signed in as `owner`, `operator`, `editor` or `auditor`, or not at all (None). Called twice it gives two people.
- A test fails at its end if any of its pages wrote an error to the console (a violation of the content security
  policy is one), raised an exception, had an answer of 500 or more, lacked a style, script or picture, or asked
  another host for anything. A page refused with 403, 404 or 429 is no fault where the browser went there itself.
  `page_as(…, refusals={401, 409})` names statuses that a page's script is meant to be answered with.
- `serious_faults(page)` of `looking` is what axe-core finds serious or critical (WCAG 2, A and AA): assert that it is
  empty once for each page and theme.
- `run_queue()` does what the worker would: the tasks that wait in the queue, here and now.
- The pages are Chinese unless `language="en"`.

Find things as a person does, by role and name (`get_by_role`, `get_by_label`), and wait for nothing but what is to
be seen (`expect(…)`): no sleeping. One test should take three seconds at most.
Where there is no chromium the tests skip; the variable CHROMIUM names one that lies elsewhere.
"""
