"""The README's program for OpenAI's client."""

import contextlib
import io
import re
import unittest
from pathlib import Path

from conversation import PROMPT
from gateway import Gateway

README = Path(__file__).parent / "../../../README.md"


class Readme(unittest.TestCase):
    def test_the_program_prints_an_answer(self):
        [program] = re.findall(
            r"^```python\n(.*?)^```", README.read_text(), re.DOTALL | re.MULTILINE
        )
        self.assertIn("http://127.0.0.1:8080", program)
        printed = io.StringIO()
        with Gateway() as own, contextlib.redirect_stdout(printed):
            exec(program.replace("http://127.0.0.1:8080", own.url), {})
        self.assertIn(PROMPT, printed.getvalue())


if __name__ == "__main__":
    unittest.main()
