"""OpenAI's own client for Python, by the Responses API."""

import asyncio
import json
import time
import unittest

import openai
from pydantic import BaseModel

from client import IS_VERSION_1, connect, connect_async
from conversation import (
    BOOKED,
    BROKEN,
    CALLS,
    EMPTY_PDF,
    EMPTY_PNG,
    FUNCTIONS,
    GROUNDED,
    LATE,
    LONG,
    LOOP,
    MODEL,
    PROMPT,
    RESULT,
    SENTINEL,
    SLOW,
    TABLE,
    THOUGHTFUL,
    Ticket,
    fails,
    unsigned,
)
from gateway import Gateway

TOOLS = [{"type": "function", "strict": False, **function} for function in FUNCTIONS]


def setUpModule():
    global gateway, client
    gateway = Gateway()
    unittest.addModuleCleanup(gateway.__exit__)
    client = connect(gateway)
    unittest.addModuleCleanup(client.close)


def streamed(client, **request):
    """Returns the response that a stream ends in."""
    with client.responses.stream(**request) as stream:
        return stream.get_final_response()


def calls_of(response):
    return [item for item in response.output if item.type == "function_call"]


def annotations_of(response):
    contents = [
        part for item in response.output if item.type == "message" for part in item.content
    ]
    return [annotation for part in contents for annotation in part.annotations]


def results_of(response):
    """What a program answers the calls of a response with."""
    return [
        {"type": "function_call_output", "call_id": call.call_id, "output": RESULT}
        for call in calls_of(response)
    ]


def named(calls):
    return [(call.name, json.loads(call.arguments)) for call in calls]


class Text(unittest.TestCase):
    def test_a_response_is_whole(self):
        response = client.responses.create(model=MODEL, input=PROMPT, instructions="Be brief.")
        self.assertIn(PROMPT, response.output_text)
        self.assertEqual(response.status, "completed")
        self.assertEqual(response.model, MODEL)
        self.assertRegex(response.id, "^resp_")
        self.assertRegex(response._request_id, "^req_")
        usage = response.usage
        self.assertGreater(usage.input_tokens, 0)
        self.assertEqual(usage.input_tokens + usage.output_tokens, usage.total_tokens)

    def test_a_stream_is_the_response_in_pieces(self):
        whole = client.responses.create(model=MODEL, input=LONG)
        with client.responses.stream(model=MODEL, input=LONG) as stream:
            events = list(stream)
            last = stream.get_final_response()
        pieces = [event.delta for event in events if event.type == "response.output_text.delta"]
        self.assertGreater(len(pieces), 1)
        self.assertEqual("".join(pieces), whole.output_text)
        self.assertEqual(last.output_text, whole.output_text)
        self.assertEqual(last.usage, whole.usage)
        self.assertEqual(events[-1].type, "response.completed")

    def test_a_stream_of_raw_events(self):
        with client.responses.create(model=MODEL, input=LONG, stream=True) as stream:
            types = [event.type for event in stream]
        self.assertEqual(types[0], "response.created")
        self.assertEqual(types[-1], "response.completed")

    def test_a_response_that_is_cut_off_is_incomplete(self):
        request = {"model": MODEL, "input": LONG, "max_output_tokens": 5}
        cut = client.responses.create(**request)
        self.assertEqual(cut.status, "incomplete")
        self.assertEqual(cut.incomplete_details.reason, "max_output_tokens")
        with client.responses.stream(**request) as stream:
            last = list(stream)[-1]
        self.assertEqual(last.type, "response.incomplete")
        self.assertEqual(last.response.output_text, cut.output_text)

    def test_a_refused_prompt_fails(self):
        response = client.responses.create(model=MODEL, input="[block prompt]")
        self.assertEqual(response.status, "failed")
        self.assertEqual(response.error.code, "invalid_prompt")

    def test_coroutines(self):
        async def run():
            async with connect_async(gateway) as own:
                whole = await own.responses.create(model=MODEL, input=LONG)
                async with own.responses.stream(model=MODEL, input=LONG) as stream:
                    last = await stream.get_final_response()
                self.assertEqual(last.output_text, whole.output_text)
                self.assertEqual(last.usage, whole.usage)

        asyncio.run(run())

    def test_thoughts_are_summaries(self):
        with Gateway(script=THOUGHTFUL) as own, connect(own) as client:
            request = {"model": MODEL, "input": PROMPT, "reasoning": {"summary": "auto"}}
            for response in client.responses.create(**request), streamed(client, **request):
                thought = next(item for item in response.output if item.type == "reasoning")
                self.assertEqual([part.text for part in thought.summary], ["The light scatters."])
                self.assertEqual(response.output_text, "It scatters.")

    @unittest.skipIf(IS_VERSION_1, "1.69.0 counts no tokens")
    def test_input_tokens_are_counted(self):
        counted = client.responses.input_tokens.count(model=MODEL, input=PROMPT, tools=TOOLS)
        self.assertGreater(counted.input_tokens, 0)


class Tools(unittest.TestCase):
    def loop(self, remember, ask, **options):
        """Runs the loop, which remembers the items of a response by a function."""
        with Gateway(script=LOOP) as own, connect(own) as client:
            items = [{"role": "user", "content": TABLE}]
            calls = []
            for _ in range(4):
                response = ask(client, model=MODEL, input=items, tools=TOOLS, **options)
                items += [remember(item) for item in response.output] + results_of(response)
                calls += calls_of(response)
            self.assertEqual(named(calls), CALLS)
            self.assertEqual(response.output_text, BOOKED)

    def test_a_loop_of_three_turns(self):
        memories = {
            "as they came": lambda item: item,
            "as dictionaries": lambda item: item.model_dump(exclude_unset=True, warnings=False),
            "without ids": lambda item: item.model_dump(exclude={"id", "status"}, warnings=False),
        }
        encrypted = {"store": False, "include": ["reasoning.encrypted_content"]}
        for name, remember in memories.items():
            for how, ask in {"whole": create, "streamed": streamed}.items():
                for options in {}, encrypted:
                    with self.subTest(f"{how}, keeping items {name}", **options):
                        self.loop(remember, ask, **options)

    def test_a_loop_of_three_turns_that_the_gateway_keeps(self):
        for how, ask in {"whole": create, "streamed": streamed}.items():
            with self.subTest(how), Gateway(
                "--store", "memory", script=LOOP
            ) as own, connect(own) as client:
                response = ask(client, model=MODEL, input=TABLE, tools=TOOLS, store=True)
                calls = calls_of(response)
                for _ in range(3):
                    response = ask(
                        client,
                        model=MODEL,
                        input=results_of(response),
                        tools=TOOLS,
                        previous_response_id=response.id,
                    )
                    calls += calls_of(response)
                self.assertEqual(named(calls), CALLS)
                self.assertEqual(response.output_text, BOOKED)
                self.assertEqual(client.responses.retrieve(response.id).output_text, BOOKED)
                self.assertTrue(list(client.responses.input_items.list(response.id)))
                client.responses.delete(response.id)
                with self.assertRaises(openai.NotFoundError):
                    client.responses.retrieve(response.id)

    def test_without_a_store_a_response_cannot_be_gone_on_with(self):
        with self.assertRaises(openai.BadRequestError) as raised:
            client.responses.create(model=MODEL, input=PROMPT, previous_response_id="resp_before")
        self.assertEqual(raised.exception.code, "previous_response_not_found")
        self.assertEqual(raised.exception.param, "previous_response_id")

    def test_arguments_are_parsed_by_the_schema_of_the_tool(self):
        class get_weather(BaseModel):
            city: str

        tool = openai.pydantic_function_tool(get_weather)
        if IS_VERSION_1:  # which takes the tool of chat.completions for its own
            tool = {"type": "function", **tool["function"]}
        request = {"model": MODEL, "input": "Call get_weather.", "tools": [tool]}
        for response in client.responses.parse(**request), streamed(client, **request):
            [call] = calls_of(response)
            city = call.parsed_arguments["city"] if IS_VERSION_1 else call.parsed_arguments.city
            self.assertEqual(city, json.loads(call.arguments)["city"])

    def test_a_signature_that_was_changed_is_not_sent(self):
        with Gateway(script=unsigned(LOOP), records=True) as own, connect(own) as client:
            first = client.responses.create(model=MODEL, input=TABLE, tools=TOOLS)
            kept = [item.model_dump(exclude_unset=True) for item in first.output]
            for item in kept:
                if item["type"] == "reasoning":
                    item["encrypted_content"] = item["encrypted_content"][:-8] + "AAAAAAAA"
            items = [{"role": "user", "content": TABLE}, *kept, *results_of(first)]
            client.responses.create(model=MODEL, input=items, tools=TOOLS)
            self.assertEqual(own.sent.signatures(), [SENTINEL, ""])


@unittest.skipIf(IS_VERSION_1, "1.69.0 knows neither background nor conversations")
class Kept(unittest.TestCase):
    def test_a_response_in_the_background_is_polled(self):
        with Gateway("--store", "memory") as own, connect(own) as client:
            response = client.responses.create(model=MODEL, input=LONG, background=True)
            self.assertIn(response.status, ("queued", "in_progress"))
            while response.status in ("queued", "in_progress"):
                time.sleep(0.05)
                response = client.responses.retrieve(response.id)
            self.assertEqual(response.status, "completed")
            self.assertTrue(response.output_text)

    def test_a_response_in_the_background_is_cancelled(self):
        with Gateway("--store", "memory", script=SLOW) as own, connect(own) as client:
            response = client.responses.create(model=MODEL, input="silently", background=True)
            self.assertEqual(client.responses.cancel(response.id).status, "cancelled")
            own.idle()

    def test_a_stream_is_resumed(self):
        with Gateway("--store", "memory") as own, connect(own) as client:
            request = {"model": MODEL, "input": LONG, "background": True}
            with client.responses.create(**request, stream=True) as stream:
                events = [event for event, _ in zip(stream, range(6))]
            begun = events[0].response.id
            after = events[-1].sequence_number
            with client.responses.retrieve(begun, stream=True, starting_after=after) as stream:
                events += stream
            numbers = [event.sequence_number for event in events]
            self.assertEqual(numbers, list(range(len(events))))
            with client.responses.stream(response_id=begun, starting_after=after) as stream:
                last = stream.get_final_response()
            self.assertEqual(last.output_text, client.responses.retrieve(begun).output_text)
            deltas = [
                event.delta for event in events if event.type == "response.output_text.delta"
            ]
            self.assertEqual("".join(deltas), last.output_text)

    def test_a_conversation(self):
        with Gateway("--store", "memory") as own, connect(own) as client:
            begun = [{"type": "message", "role": "user", "content": "I am Ann."}]
            conversation = client.conversations.create(items=begun)
            for said in "Hello.", "Who am I?":
                client.responses.create(model=MODEL, input=said, conversation=conversation.id)
            items = list(client.conversations.items.list(conversation.id, order="asc"))
            said = [item.content[0].text for item in items if getattr(item, "role", "") == "user"]
            self.assertEqual(said, ["I am Ann.", "Hello.", "Who am I?"])
            first = client.conversations.items.retrieve(
                items[0].id, conversation_id=conversation.id
            )
            self.assertEqual(first, items[0])
            self.assertTrue(client.conversations.delete(conversation.id).deleted)
            with self.assertRaises(openai.NotFoundError):
                client.conversations.retrieve(conversation.id)


class Answers(unittest.TestCase):
    def test_an_answer_follows_the_schema(self):
        request = {"model": MODEL, "input": "File a ticket.", "text_format": Ticket}
        whole = client.responses.parse(**request).output_parsed
        self.assertIsInstance(whole, Ticket)
        with client.responses.stream(**request) as stream:
            done = [event for event in stream if event.type == "response.output_text.done"]
            last = stream.get_final_response()
        self.assertEqual([event.parsed for event in done], [whole])
        self.assertEqual(last.output_parsed, whole)

    def test_an_image_and_a_PDF_are_taken(self):
        content = [
            {"type": "input_text", "text": "What is in these?"},
            {"type": "input_image", "image_url": EMPTY_PNG, "detail": "auto"},
            {"type": "input_file", "filename": "report.pdf", "file_data": EMPTY_PDF},
        ]
        request = {"model": MODEL, "input": [{"role": "user", "content": content}]}
        for response in client.responses.create(**request), streamed(client, **request):
            self.assertIn("image/png", response.output_text)
            self.assertIn("application/pdf", response.output_text)

    def test_a_search_of_the_web_is_told_with_its_sources(self):
        with Gateway(script=GROUNDED) as own, connect(own) as client:
            for tool in "web_search", "web_search_preview":
                request = {"model": MODEL, "input": "What is new?", "tools": [{"type": tool}]}
                for response in client.responses.create(**request), streamed(client, **request):
                    self.assertEqual(response.output_text, "The tower is closed.")
                    self.assertIn("web_search_call", [item.type for item in response.output])
                    [source] = annotations_of(response)
                    self.assertEqual(source.type, "url_citation")
                    self.assertEqual(source.url, "https://news.example/tower")
                    cited = slice(source.start_index, source.end_index)
                    self.assertEqual(response.output_text[cited], "The tower is closed.")


class Leaving(unittest.TestCase):
    """A client that leaves ends the call of Gemini, long before the fake server would."""

    def test_a_stream_that_is_closed(self):
        with Gateway(script=SLOW) as own, connect(own) as client:
            with client.responses.stream(model=MODEL, input="slowly") as stream:
                for event in stream:
                    if event.type == "response.output_text.delta":
                        break
            own.wait_for_requests(1)
            own.idle()

    def test_a_time_out(self):
        with Gateway(script=SLOW) as own, connect(own, timeout=2) as client:
            with self.assertRaises(openai.APITimeoutError):
                client.responses.create(model=MODEL, input="silently")
            own.wait_for_requests(1)
            own.idle()

    def test_a_coroutine_that_is_cancelled(self):
        async def run(own):
            async with connect_async(own) as client:
                async with client.responses.stream(model=MODEL, input="slowly") as stream:
                    async for event in stream:
                        if event.type == "response.output_text.delta":
                            asyncio.current_task().cancel()

        with Gateway(script=SLOW) as own:
            with self.assertRaises(asyncio.CancelledError):
                asyncio.run(run(own))
            own.wait_for_requests(1)
            own.idle()


class Errors(unittest.TestCase):
    def test_errors_have_the_class_of_their_status(self):
        kinds = {
            "permissionDenied": openai.PermissionDeniedError,
            "notFound": openai.NotFoundError,
            "rateLimited": openai.RateLimitError,
            "dailyQuota": openai.RateLimitError,
            "internal": openai.InternalServerError,
            "unavailable": openai.InternalServerError,
            "deadlineExceeded": openai.InternalServerError,
        }
        for kind, expected in kinds.items():
            for stream in False, True:
                with self.subTest(kind, stream=stream), Gateway(
                    script=fails(kind)
                ) as own, connect(own) as client:
                    with self.assertRaises(expected) as raised:
                        client.responses.create(model=MODEL, input=PROMPT, stream=stream)
                    self.assertRegex(raised.exception.request_id, "^req_")
                    self.assertTrue(raised.exception.body["message"])

    def test_an_unknown_model(self):
        with self.assertRaises(openai.NotFoundError) as raised:
            client.responses.create(model="gemmini-9", input=PROMPT)
        self.assertIn("gemmini-9", str(raised.exception))

    def test_a_wrong_request_is_refused_with_its_place(self):
        with self.assertRaises(openai.BadRequestError) as raised:
            client.responses.create(model=MODEL, input=[{"role": "wizard", "content": "Hi."}])
        self.assertIn("/input/0/role", str(raised.exception))

    def test_a_wrong_key(self):
        with Gateway("--callers-key", key="right") as own:
            with connect(own) as client, self.assertRaises(openai.AuthenticationError):
                client.responses.create(model=MODEL, input=PROMPT)
            with connect(own, api_key="right") as client:
                self.assertTrue(client.responses.create(model=MODEL, input=PROMPT).output_text)

    def test_a_quota_is_tried_again_when_its_time_has_come(self):
        with Gateway(script=LATE) as own, connect(own, max_retries=2) as client:
            begin = time.monotonic()
            response = client.responses.create(model=MODEL, input=PROMPT)
            self.assertEqual(response.output_text, "At last.")
            self.assertGreaterEqual(time.monotonic() - begin, 0.9)
            path = "POST /v1/responses"
            self.assertEqual(own.wait_for_answers(2), [f"{path} 429", f"{path} 200"])

    def test_a_stream_that_fails_in_the_middle(self):
        with Gateway(script=BROKEN) as own, connect(own) as client:
            text = ""
            with self.assertRaises(openai.APIError):
                for event in client.responses.create(model=MODEL, input=PROMPT, stream=True):
                    if event.type == "response.output_text.delta":
                        text += event.delta
            self.assertEqual(text, "The beginning")


def create(client, **request):
    return client.responses.create(**request)


if __name__ == "__main__":
    unittest.main()
