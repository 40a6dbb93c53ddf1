"""The program of docs/clients/openai-python.md."""

import contextlib
import io
import re
import unittest
from pathlib import Path

from conversation import PROMPT
from gateway import Gateway

PAGE = Path(__file__).parent / "../../../docs/clients/openai-python.md"


class Page(unittest.TestCase):
    def test_the_program_prints_an_answer(self):
        [program] = re.findall(
            r"^```python\n(.*?)^```", PAGE.read_text(), re.DOTALL | re.MULTILINE
        )
        self.assertIn("http://127.0.0.1:8080", program)
        printed = io.StringIO()
        with Gateway() as own, contextlib.redirect_stdout(printed):
            exec(program.replace("http://127.0.0.1:8080", own.url), {})
        self.assertIn(PROMPT, printed.getvalue())


if __name__ == "__main__":
    unittest.main()
