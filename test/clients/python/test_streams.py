"""The converted streams, read by OpenAI's own client for Python."""

import asyncio
import unittest

import openai

from client import connect, connect_async
from converted import converted_streams, report
from playback import Playback

streams = [converted for converted in converted_streams("responses") if converted.stream]
complete = [converted for converted in streams if not converted.is_broken]
broken = [converted for converted in streams if converted.is_broken]

ENDS = ("response.completed", "response.incomplete", "response.failed")


def setUpModule():
    global playback
    playback = Playback(
        {converted.name: (converted.stream, converted.whole) for converted in streams}
    )
    unittest.addModuleCleanup(playback.__exit__)


@unittest.skipUnless(
    streams, "GEMWIRE_WORK names no folder with converted streams; ../run.sh makes one"
)
class Streams(unittest.TestCase):
    maxDiff = None

    def test_CL2_the_stream_ends_in_the_whole_response(self):
        with connect(playback) as client:
            for converted in complete:
                with self.subTest(converted.name):
                    request = {"model": converted.name, "input": "?"}
                    with client.responses.stream(**request) as stream:
                        ends = [event.response for event in stream if event.type in ENDS]
                        if ends[-1].status == "completed":
                            ends.append(stream.get_final_response())
                    whole = client.responses.parse(**request)
                    for end in ends:
                        self.assertEqual(plain(end), plain(whole))
        report(f"responses: openai {openai.VERSION} read {len(complete)} streams")

    def test_CL2_coroutines_read_the_same(self):
        async def read():
            async with connect_async(playback) as client:
                for converted in complete:
                    with self.subTest(converted.name):
                        request = {"model": converted.name, "input": "?"}
                        async with client.responses.stream(**request) as stream:
                            ends = [event.response async for event in stream if event.type in ENDS]
                        self.assertEqual(
                            plain(ends[0]), plain(await client.responses.parse(**request))
                        )

        asyncio.run(read())

    def test_CL2_an_error_in_the_stream_is_raised(self):
        with connect(playback) as client:
            for converted in broken:
                with self.subTest(converted.name), self.assertRaises(openai.APIError):
                    with client.responses.stream(model=converted.name, input="?") as stream:
                        stream.until_done()
        report(f"responses: openai {openai.VERSION} refused {len(broken)} with an error in them")


def plain(response):
    """
    Returns what a response says. A version that does not know the type of an item takes it for
    another, keeps its members, and warns.
    """
    members = response.to_dict(warnings=False)
    for item in members["output"]:
        item.pop("parsed_arguments", None)
        for part in item.get("content") or []:
            part.pop("parsed", None)
    return members


if __name__ == "__main__":
    unittest.main()
