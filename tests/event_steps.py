"""Counts the steps of an editor: each press, each field filled, each choice is a step."""

from functools import wraps


def tasks():
    """Return a decorator of tests with the steps of their task, and the steps of all, by task."""
    steps_of = {}

    def task(name, steps):
        def decorate(test):
            steps_of[name] = steps

            @wraps(test)
            def run(*arguments, **fixtures):
                assert test(*arguments, **fixtures).number == steps

            return run

        return decorate

    return task, steps_of


class Steps:
    """An editor at a page, with a count of steps."""

    def __init__(self, page):
        self.page = page
        self.number = 0

    def press(self, name, role="button"):
        self.number += 1
        self.page.get_by_role(role, name=name, exact=True).first.click()

    def click(self, selector):
        self.number += 1
        self.page.locator(selector).first.click()

    def enter(self, selector, text):
        self.number += 1
        self.page.fill(selector, text)

    def fill(self, **texts):
        for name, text in texts.items():
            self.number += 1
            self.page.fill(f"#event-form [name='{name}']", text)

    def choose(self, name, value):
        self.number += 1
        self.page.select_option(f"#event-form [name='{name}']", value)

    def upload(self, control, file):
        self.number += 1
        self.page.set_input_files(f"[name='{control}']", file)

    def save(self, name):
        """Press a button that saves, and wait for the message on the page that answers."""
        # The page before may have such a message too.
        with self.page.expect_navigation():
            self.press(name)
        self.page.wait_for_selector(".notice-done")
