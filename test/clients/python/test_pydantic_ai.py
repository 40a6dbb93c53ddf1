"""pydantic-ai, re-stated in restated_pydantic_ai.py, by the Responses API."""

import asyncio
import json
import unittest
from itertools import product

from client import connect_async
from conversation import (
    BOOKED,
    CALLS,
    FIRST_SIGNATURE,
    FUNCTIONS,
    LOOP,
    MODEL,
    RESULT,
    SECOND_SIGNATURE,
    SENTINEL,
    TABLE,
    THIRD_SIGNATURE,
    unsigned,
)
from gateway import Gateway
from restated_pydantic_ai import Call, Conversation, Text


async def loop(own, **options):
    """Runs the loop. Returns what was called, what was said at last, and what that cost."""
    async with connect_async(own) as client:
        conversation = Conversation(client, MODEL, FUNCTIONS, **options)
        parts = await conversation.ask(TABLE)
        made = []
        while calls := [part for part in parts if isinstance(part, Call)]:
            made += [(call.name, json.loads(call.arguments)) for call in calls]
            parts = await conversation.answer(calls, RESULT)
        said = "".join(part.text for part in parts if isinstance(part, Text))
        return made, said, conversation.tokens


class PydanticAI(unittest.TestCase):
    def test_CL9_a_loop_of_three_turns(self):
        for streams, sends_ids in product((False, True), (True, False)):
            # Without ids no reasoning goes back, and with it no signature.
            script = LOOP if sends_ids else unsigned(LOOP)
            expected = [FIRST_SIGNATURE, "", SECOND_SIGNATURE, THIRD_SIGNATURE]
            if not sends_ids:
                expected = [SENTINEL, "", SENTINEL, SENTINEL]
            with self.subTest(streams=streams, sends_ids=sends_ids):
                with Gateway(script=script, records=True) as own:
                    made, said, tokens = asyncio.run(
                        loop(own, streams=streams, sends_ids=sends_ids)
                    )
                self.assertEqual(made, CALLS)
                self.assertEqual(said, BOOKED)
                self.assertGreater(tokens, 0)
                self.assertEqual(own.sent.signatures(), expected)
                self.assertNotIn("gemwire1_", json.dumps(own.sent.requests))


if __name__ == "__main__":
    unittest.main()
