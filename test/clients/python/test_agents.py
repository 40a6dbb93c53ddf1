"""openai-agents for Python, re-stated in restated_agents.py, by the Responses API."""

import asyncio
import functools
import unittest
from itertools import product

import openai
from pydantic import BaseModel

from restated_agents import Agent, Runner, Tool, nested, without_tools
from client import connect_async
from conversation import (
    BOOKED,
    BROKEN,
    FIRST_SIGNATURE,
    GROUNDED,
    LOOP,
    MODEL,
    RESULT,
    SECOND_SIGNATURE,
    TABLE,
    THIRD_SIGNATURE,
    Ticket,
)
from gateway import Gateway


class City(BaseModel):
    city: str


class Booking(BaseModel):
    city: str
    people: int


WEATHER = Tool("get_weather", City, lambda _: RESULT)
BOOK = Tool("book_table", Booking, lambda _: RESULT)

# As the package writes it, with what is not set.
WEB_SEARCH = {
    "type": "web_search",
    "filters": None,
    "user_location": None,
    "search_context_size": "medium",
}

# One tool, then a handoff with words, one tool of the new agent, and the end.
HANDOFF = {
    "strict": True,
    "fixtures": [
        {
            "match": {"tool": ["get_weather", "transfer_to_waiter"], "turn": 0},
            "reply": [
                {"thought": "The weather first."},
                {
                    "call": {"name": "get_weather", "args": {"city": "Porto"}},
                    "signature": FIRST_SIGNATURE,
                },
            ],
        },
        {
            "match": {"tool": "transfer_to_waiter", "toolResult": "get_weather"},
            "reply": [
                {"text": "It is warm. The waiter will help."},
                {
                    "call": {"name": "transfer_to_waiter", "args": {}},
                    "signature": SECOND_SIGNATURE,
                },
            ],
        },
        {
            "match": {"tool": "book_table", "toolResult": "book_table"},
            "reply": [{"text": ["A table in Porto", " is booked."]}],
        },
        {
            "match": {"tool": "book_table", "system": "Book tables."},
            "reply": [
                {
                    "call": {"name": "book_table", "args": {"city": "Porto", "people": 2}},
                    "signature": THIRD_SIGNATURE,
                }
            ],
        },
    ],
}


def coroutine(test):
    """Runs a test that is a coroutine."""
    return functools.wraps(test)(lambda self: asyncio.run(test(self)))


class Agents(unittest.TestCase):
    @coroutine
    async def test_CL4_a_loop_of_tools(self):
        agent = Agent("Waiter", "Book tables.", [WEATHER, BOOK])
        for streams in False, True:
            with self.subTest(streams=streams), Gateway(script=LOOP, records=True) as own:
                async with connect_async(own) as client:
                    result = await Runner(client, MODEL, streams=streams).run(agent, TABLE)
                self.assertEqual(result.text, BOOKED)
                expected = [FIRST_SIGNATURE, "", SECOND_SIGNATURE, THIRD_SIGNATURE]
                self.assertEqual(own.sent.signatures(), expected)

    @coroutine
    async def test_CL4_a_loop_of_tools_that_the_server_keeps(self):
        agent = Agent("Waiter", "Book tables.", [WEATHER, BOOK])
        for streams in False, True:
            with self.subTest(streams=streams), Gateway(
                "--store", "memory", script=LOOP, records=True
            ) as own:
                async with connect_async(own) as client:
                    runner = Runner(client, MODEL, streams=streams, server_keeps=True)
                    self.assertEqual((await runner.run(agent, TABLE)).text, BOOKED)
                expected = [FIRST_SIGNATURE, "", SECOND_SIGNATURE, THIRD_SIGNATURE]
                self.assertEqual(own.sent.signatures(), expected)

    @coroutine
    async def test_CL4_a_tool_and_then_a_handoff(self):
        # What the agent that takes over is sent, and the signatures that its last request has.
        histories = {
            "whole": (list, [FIRST_SIGNATURE, SECOND_SIGNATURE, THIRD_SIGNATURE]),
            "without tools": (without_tools, [THIRD_SIGNATURE]),
            "nested": (nested, [THIRD_SIGNATURE]),
        }
        waiter = Agent("Waiter", "Book tables.", [BOOK])
        host = Agent("Host", "Send guests on.", [WEATHER], [waiter])
        for (name, (hand_over, expected)), streams in product(histories.items(), (False, True)):
            with self.subTest(name, streams=streams), Gateway(script=HANDOFF, records=True) as own:
                async with connect_async(own) as client:
                    # Models since 3.6 Flash refuse a history that ends with the model's own turn.
                    model = "gemini-3.1-pro-preview"
                    runner = Runner(client, model, streams=streams, hand_over=hand_over)
                    result = await runner.run(host, TABLE)
                self.assertEqual(result.text, BOOKED)
                self.assertEqual(result.agent.name, "Waiter")
                self.assertEqual(own.sent.signatures(), expected)

    @coroutine
    async def test_CL4_a_nested_history_for_a_model_that_answers_the_user_alone(self):
        waiter = Agent("Waiter", "Book tables.", [BOOK])
        host = Agent("Host", "Send guests on.", [WEATHER], [waiter])
        with Gateway(script=HANDOFF) as own:
            async with connect_async(own) as client:
                runner = Runner(client, "gemini-3.6-flash", hand_over=nested)
                with self.assertRaises(openai.BadRequestError) as raised:
                    await runner.run(host, TABLE)
        self.assertEqual(raised.exception.param, "input[2]")
        self.assertIn("ends with a message of the model", str(raised.exception))

    @coroutine
    async def test_CL4_a_run_that_goes_on_with_the_last(self):
        waiter = Agent("Waiter", "Book tables.", [BOOK])
        host = Agent("Host", "Send guests on.", [WEATHER], [waiter])
        again = {"match": {"prompt": "Thank you."}, "reply": "You are welcome."}
        script = HANDOFF | {"fixtures": [again, *HANDOFF["fixtures"]]}
        for streams in False, True:
            with self.subTest(streams=streams), Gateway(script=script, records=True) as own:
                async with connect_async(own) as client:
                    runner = Runner(client, MODEL, streams=streams)
                    first = await runner.run(host, TABLE)
                    items = [*first.input, {"content": "Thank you.", "role": "user"}]
                    last = await runner.run(first.agent, items)
                self.assertEqual(last.text, "You are welcome.")
                expected = [FIRST_SIGNATURE, SECOND_SIGNATURE, THIRD_SIGNATURE]
                self.assertEqual(own.sent.signatures(), expected)

    @coroutine
    async def test_CL4_an_answer_follows_the_schema(self):
        clerk = Agent("Clerk", output=Ticket)
        for streams in False, True:
            with self.subTest(streams=streams), Gateway() as own:
                async with connect_async(own) as client:
                    runner = Runner(client, MODEL, streams=streams)
                    Ticket.model_validate_json((await runner.run(clerk, "File a ticket.")).text)

    @coroutine
    async def test_CL4_an_answer_with_sources_goes_back(self):
        again = {"match": {"prompt": "Since when?"}, "reply": "Since May."}
        script = {"fixtures": [again, *GROUNDED["fixtures"]]}
        agent = Agent("Reporter", hosted_tools=[WEB_SEARCH])
        for streams in False, True:
            with self.subTest(streams=streams), Gateway(script=script) as own:
                async with connect_async(own) as client:
                    runner = Runner(client, MODEL, streams=streams)
                    first = await runner.run(agent, "What is new?")
                    items = [*first.input, {"content": "Since when?", "role": "user"}]
                    self.assertEqual((await runner.run(agent, items)).text, "Since May.")

    @coroutine
    async def test_CL4_a_stream_that_fails_in_the_middle(self):
        with Gateway(script=BROKEN) as own:
            async with connect_async(own) as client:
                with self.assertRaises(openai.APIError):
                    await Runner(client, MODEL, streams=True).run(Agent("Anybody"), "Hello.")


if __name__ == "__main__":
    unittest.main()
