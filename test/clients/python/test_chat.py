"""OpenAI's own client for Python, by chat_completions."""

import asyncio
import hashlib
import json
import math
import time
import unittest

import openai
from pydantic import BaseModel

from client import chat_helpers, connect, connect_async
from conversation import (
    BOOKED,
    BROKEN,
    CALLS,
    EMPTY_PDF,
    EMPTY_PNG,
    EMPTY_WAV,
    FUNCTIONS,
    LATE,
    LONG,
    LOOP,
    MODEL,
    PROMPT,
    RESULT,
    SLOW,
    TABLE,
    Ticket,
    fails,
    loop,
)
from gateway import Gateway

TOOLS = [{"type": "function", "function": function} for function in FUNCTIONS]


def setUpModule():
    global gateway, client
    gateway = Gateway()
    unittest.addModuleCleanup(gateway.__exit__)
    client = connect(gateway)
    unittest.addModuleCleanup(client.close)


def user(content):
    return [{"role": "user", "content": content}]


def create(client, **request):
    return client.chat.completions.create(**request)


def streamed(client, **request):
    """Returns the completion that the client accumulates of a stream."""
    with chat_helpers(client).stream(**request) as stream:
        return stream.get_final_completion()


class Text(unittest.TestCase):
    def test_an_answer_is_whole(self):
        completion = client.chat.completions.create(model=MODEL, messages=user(PROMPT))
        [choice] = completion.choices
        self.assertIn(PROMPT, choice.message.content)
        self.assertEqual(choice.finish_reason, "stop")
        self.assertEqual(completion.model, MODEL)
        self.assertRegex(completion._request_id, "^req_")
        usage = completion.usage
        self.assertGreater(usage.prompt_tokens, 0)
        self.assertEqual(usage.prompt_tokens + usage.completion_tokens, usage.total_tokens)

    def test_a_stream_is_the_answer_in_pieces_with_usage_to_who_asks_for_it(self):
        request = {"model": MODEL, "messages": user(LONG)}
        whole = client.chat.completions.create(**request)
        for told in False, True:
            with self.subTest(told=told):
                options = {"include_usage": told}
                with client.chat.completions.create(
                    **request, stream=True, stream_options=options
                ) as stream:
                    chunks = list(stream)
                choices = [choice for chunk in chunks for choice in chunk.choices]
                pieces = [choice.delta.content for choice in choices if choice.delta.content]
                self.assertGreater(len(pieces), 1)
                self.assertEqual("".join(pieces), whole.choices[0].message.content)
                ends = [choice.finish_reason for choice in choices if choice.finish_reason]
                self.assertEqual(ends, ["stop"])
                usages = [chunk.usage for chunk in chunks if chunk.usage]
                self.assertEqual(usages, [whole.usage] if told else [])

    def test_the_helper_for_streams_ends_with_the_whole_answer(self):
        request = {"model": MODEL, "messages": user(LONG)}
        whole = client.chat.completions.create(**request)
        with chat_helpers(client).stream(
            **request, stream_options={"include_usage": True}
        ) as stream:
            pieces = [event.delta for event in stream if event.type == "content.delta"]
            last = stream.get_final_completion()
        self.assertEqual("".join(pieces), whole.choices[0].message.content)
        self.assertEqual(last.choices[0].message.content, whole.choices[0].message.content)
        self.assertEqual(last.choices[0].finish_reason, "stop")
        self.assertEqual(last.usage, whole.usage)

    def test_coroutines(self):
        async def run():
            async with connect_async(gateway) as own:
                request = {"model": MODEL, "messages": user(LONG)}
                whole = await own.chat.completions.create(**request)
                async with chat_helpers(own).stream(**request) as stream:
                    last = await stream.get_final_completion()
                self.assertEqual(last.choices[0].message.content, whole.choices[0].message.content)

        asyncio.run(run())

    def test_there_are_as_many_answers_as_are_asked_for(self):
        for ask in create, streamed:
            completion = ask(client, model="gemini-4-argon", messages=user(PROMPT), n=3)
            self.assertEqual([choice.index for choice in completion.choices], [0, 1, 2])
            self.assertTrue(all(choice.message.content for choice in completion.choices))

    def test_log_probabilities_are_told(self):
        request = {
            "model": "gemini-4-argon",
            "messages": user(PROMPT),
            "logprobs": True,
            "top_logprobs": 2,
        }
        for ask in create, streamed:
            [choice] = ask(client, **request).choices
            tokens = choice.logprobs.content
            self.assertEqual("".join(token.token for token in tokens), choice.message.content)
            self.assertTrue(all(token.logprob <= 0 for token in tokens))
            self.assertEqual({len(token.top_logprobs) for token in tokens}, {2})

    def test_refusals_by_the_filters_are_told(self):
        [blocked] = client.chat.completions.create(
            model=MODEL, messages=user("[block answer]")
        ).choices
        self.assertEqual(blocked.finish_reason, "content_filter")
        [cut] = client.chat.completions.create(
            model=MODEL, messages=user(LONG), max_completion_tokens=5
        ).choices
        self.assertEqual(cut.finish_reason, "length")


class Answers(unittest.TestCase):
    def test_an_answer_follows_the_schema(self):
        request = {"model": MODEL, "messages": user("File a ticket."), "response_format": Ticket}
        [whole] = chat_helpers(client).parse(**request).choices
        self.assertIsInstance(whole.message.parsed, Ticket)
        [last] = streamed(client, **request).choices
        self.assertEqual(last.message.parsed, whole.message.parsed)

    def test_an_answer_is_JSON(self):
        request = {"model": MODEL, "messages": user("File a ticket.")}
        completion = client.chat.completions.create(
            **request, response_format={"type": "json_object"}
        )
        json.loads(completion.choices[0].message.content)

    def test_an_image_a_file_and_sound_are_taken(self):
        content = [
            {"type": "text", "text": "What is in these?"},
            {"type": "image_url", "image_url": {"url": EMPTY_PNG}},
            {"type": "file", "file": {"filename": "report.pdf", "file_data": EMPTY_PDF}},
            {"type": "input_audio", "input_audio": {"data": EMPTY_WAV, "format": "wav"}},
        ]
        for ask in create, streamed:
            [choice] = ask(client, model=MODEL, messages=user(content)).choices
            for media in "image/png", "application/pdf", "audio/wav":
                self.assertIn(media, choice.message.content)

    def test_sound_is_answered(self):
        completion = client.chat.completions.create(
            model="gemini-2.5-flash-preview-tts",
            messages=user("Say hello."),
            modalities=["audio"],
            audio={"voice": "Kore", "format": "pcm16"},
        )
        self.assertGreater(len(completion.choices[0].message.audio.data), 100)


def known(message):
    """Returns what OpenAI's description has of a message."""
    calls = [
        {
            "id": call.id,
            "type": "function",
            "function": {"name": call.function.name, "arguments": call.function.arguments},
        }
        for call in message.tool_calls or []
    ]
    return {"role": "assistant", "content": message.content} | (
        {"tool_calls": calls} if calls else {}
    )


class Tools(unittest.TestCase):
    def loop(self, remember, ask, script=LOOP):
        """Runs the loop, which remembers an answer by a function."""
        with Gateway(script=script) as own, connect(own) as client:
            messages = user(TABLE)
            made = []
            for turn in range(4):
                [choice] = ask(client, model=MODEL, messages=messages, tools=TOOLS).choices
                messages.append(remember(choice.message))
                self.assertEqual(choice.finish_reason, "tool_calls" if turn < 3 else "stop")
                for call in choice.message.tool_calls or []:
                    self.assertLess(len(call.id), 5000)
                    made.append((call.function.name, json.loads(call.function.arguments)))
                    messages.append({"role": "tool", "tool_call_id": call.id, "content": RESULT})
            self.assertEqual(made, CALLS)
            self.assertEqual(choice.message.content, BOOKED)

    def test_a_loop_of_three_turns(self):
        memories = {
            "as they came": lambda message: message,
            "as dictionaries": lambda message: message.model_dump(exclude_unset=True),
            "by what OpenAI has of them": known,
        }
        for name, remember in memories.items():
            for how, ask in {"whole": create, "streamed": streamed}.items():
                with self.subTest(f"{how}, keeping answers {name}"):
                    self.loop(remember, ask)

    def test_a_signature_that_is_too_long_for_an_id_is_kept(self):
        self.loop(known, create, script=loop("bG9u" * 7000))

    def test_arguments_are_parsed_by_the_schema_of_the_tool(self):
        class get_weather(BaseModel):
            city: str

        request = {"model": MODEL, "messages": user("Call get_weather.")}
        tools = [openai.pydantic_function_tool(get_weather)]
        for completion in chat_helpers(client).parse(**request, tools=tools), streamed(
            client, **request, tools=tools
        ):
            [call] = completion.choices[0].message.tool_calls
            self.assertIsInstance(call.function.parsed_arguments, get_weather)

    def test_a_tool_is_called_by_its_name_or_by_none(self):
        request = {"model": MODEL, "messages": user(PROMPT), "tools": TOOLS}
        choice = {"type": "function", "function": {"name": "book_table"}}
        one = client.chat.completions.create(**request, tool_choice=choice).choices[0].message
        self.assertEqual([call.function.name for call in one.tool_calls], ["book_table"])
        none = client.chat.completions.create(**request, tool_choice="none").choices[0].message
        self.assertIsNone(none.tool_calls)


class Leaving(unittest.TestCase):
    """A client that leaves ends the call of Gemini, long before the fake server would."""

    def test_a_stream_that_is_closed(self):
        with Gateway(script=SLOW) as own, connect(own) as client:
            with client.chat.completions.create(
                model=MODEL, messages=user("slowly"), stream=True
            ) as stream:
                for chunk in stream:
                    if chunk.choices[0].delta.content:
                        break
            own.wait_for_requests(1)
            own.idle()

    def test_a_time_out(self):
        for stream in False, True:
            with self.subTest(stream=stream), Gateway(script=SLOW) as own, connect(
                own, timeout=2
            ) as client:
                with self.assertRaises(openai.APITimeoutError):
                    list(
                        client.chat.completions.create(
                            model=MODEL, messages=user("silently"), stream=stream
                        )
                    )
                own.wait_for_requests(1)
                own.idle()


class Errors(unittest.TestCase):
    def test_errors_have_the_class_of_their_status(self):
        kinds = {
            "permissionDenied": (openai.PermissionDeniedError, 403),
            "notFound": (openai.NotFoundError, 404),
            "rateLimited": (openai.RateLimitError, 429),
            "internal": (openai.InternalServerError, 500),
            "unavailable": (openai.InternalServerError, 503),
        }
        for kind, (expected, status) in kinds.items():
            with self.subTest(kind), Gateway(script=fails(kind)) as own, connect(own) as client:
                with self.assertRaises(expected) as raised:
                    client.chat.completions.create(model=MODEL, messages=user(PROMPT))
                self.assertEqual(raised.exception.status_code, status)
                self.assertRegex(raised.exception.request_id, "^req_")

    def test_an_unknown_model(self):
        for stream in False, True:
            with self.assertRaises(openai.NotFoundError) as raised:
                client.chat.completions.create(
                    model="gemmini-9", messages=user(PROMPT), stream=stream
                )
            self.assertEqual(raised.exception.code, "model_not_found")

    def test_a_wrong_request_is_refused_with_its_place(self):
        for wrong in {"temperature": "hot"}, {"extra_body": {"temprature": 1}}:
            with self.assertRaises(openai.BadRequestError) as raised:
                client.chat.completions.create(model=MODEL, messages=user(PROMPT), **wrong)
            self.assertRegex(raised.exception.param, "^temp")

    def test_a_key_of_a_client_that_is_not_known(self):
        digest = hashlib.sha256(b"known").hexdigest()
        keys = json.dumps(
            {"keys": [{"name": "alice", "hash": f"sha256:{digest}", "models": [MODEL]}]}
        )
        with Gateway("--key-file", "keys.json", files={"keys.json": keys}) as own:
            with connect(own) as stranger, self.assertRaises(openai.AuthenticationError) as raised:
                stranger.chat.completions.create(model=MODEL, messages=user(PROMPT))
            self.assertEqual(raised.exception.code, "invalid_api_key")
            with connect(own, api_key="known") as alice:
                self.assertEqual([model.id for model in alice.models.list()], [MODEL])

    def test_a_quota_is_tried_again_when_its_time_has_come(self):
        with Gateway(script=LATE) as own, connect(own, max_retries=2) as client:
            begin = time.monotonic()
            completion = client.chat.completions.create(model=MODEL, messages=user(PROMPT))
            self.assertEqual(completion.choices[0].message.content, "At last.")
            self.assertGreaterEqual(time.monotonic() - begin, 0.9)
            path = "POST /v1/chat/completions"
            self.assertEqual(own.wait_for_answers(2), [f"{path} 429", f"{path} 200"])

    def test_a_quota_of_the_day_is_not_tried_again(self):
        with Gateway(script=fails("dailyQuota")) as own, connect(own, max_retries=2) as client:
            with self.assertRaises(openai.RateLimitError) as raised:
                client.chat.completions.create(model=MODEL, messages=user(PROMPT))
            self.assertEqual(raised.exception.code, "insufficient_quota")
            own.wait_for_answers(1)

    def test_a_stream_that_fails_in_the_middle(self):
        with Gateway(script=BROKEN) as own, connect(own) as client:
            text = ""
            with self.assertRaises(openai.APIError):
                for chunk in client.chat.completions.create(
                    model=MODEL, messages=user(PROMPT), stream=True
                ):
                    text += "".join(choice.delta.content or "" for choice in chunk.choices)
            self.assertEqual(text, "The beginning")


class Others(unittest.TestCase):
    def test_models_are_listed_and_described(self):
        ids = [model.id for model in client.models.list()]
        self.assertIn(MODEL, ids)
        self.assertEqual(len(ids), len(set(ids)))
        self.assertEqual(client.models.retrieve(MODEL).id, MODEL)
        with self.assertRaises(openai.NotFoundError):
            client.models.retrieve("gemmini-9")

    def test_texts_are_embedded_in_base64_by_default(self):
        request = {"model": "gemini-embedding-001", "input": ["Tea", "Coffee"], "dimensions": 256}
        by_default = client.embeddings.create(**request).data
        numbers = client.embeddings.create(**request, encoding_format="float").data
        self.assertEqual([len(entry.embedding) for entry in by_default], [256, 256])
        for one, other in zip(by_default, numbers, strict=True):
            self.assertTrue(all(map(close, one.embedding, other.embedding)))
            self.assertAlmostEqual(math.hypot(*one.embedding), 1, places=3)


def close(one, other):
    return abs(one - other) < 1e-6


if __name__ == "__main__":
    unittest.main()
