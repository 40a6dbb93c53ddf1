"""What the clients say in these tests, and what they are answered."""

import base64
import re
from pathlib import Path
from typing import Literal

from pydantic import BaseModel

MODEL = "gemini-3.6-flash"
PROMPT = "Why is the sky blue?"
LONG = "Tell me more [words 60]"
TABLE = "Book a table where it is warm."


class Ticket(BaseModel):
    """A schema of an answer."""

    title: str
    priority: Literal["low", "high"]
    points: int


def _function(name, **properties):
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return {
        "name": name,
        "description": name,
        "parameters": schema | {"additionalProperties": False},
    }


FUNCTIONS = [
    _function("get_weather", city={"type": "string"}),
    _function("book_table", city={"type": "string"}, people={"type": "integer"}),
]

# The signatures of the turns of LOOP, each of its first call.
FIRST_SIGNATURE = "Zmlyc3Q/Pj8+8J+Usv//AAE="
SECOND_SIGNATURE = "c2Vjb25k+/+//w=="
THIRD_SIGNATURE = "dGhpcmQ="

# A script that calls tools over three turns, twice at once in the first. It goes on only when the
# signatures of the turns before have come back byte for byte.
LOOP = (Path(__file__).parent / "../testdata/gateway/loop.yaml").read_text()


def loop(first):
    """Returns LOOP with another signature for its first turn."""
    return LOOP.replace(FIRST_SIGNATURE, first)


def unsigned(script):
    """Returns a script that goes on without the signatures of the turns before."""
    return re.sub(r", signature: [^}]*}", "}", script)


# What stands for a signature that a client has lost, on the first call of a step.
SENTINEL = "skip_thought_signature_validator"

# What the loop calls, and the answer that ends it.
CALLS = [
    ("get_weather", {"city": "Porto"}),
    ("get_weather", {"city": "Lima"}),
    ("book_table", {"city": "Porto", "people": 2}),
    ("get_weather", {"city": "Porto"}),
]
BOOKED = "A table in Porto is booked."

# What every tool results in, which the loop waits for.
RESULT = '{"degrees":21}'

# A script that answers too slowly to wait for, after its first word or before.
SLOW = {
    "fixtures": [
        {
            "match": {"prompt": "slowly"},
            "reply": [{"text": "Once "}, {"pause": "60s"}, {"text": "upon a time."}],
        },
        {"match": {"prompt": "silently"}, "reply": [{"pause": "60s"}, {"text": "At last."}]},
    ]
}

# A script of an answer with a search of the web and its source.
GROUNDED = {
    "fixtures": [
        {
            "reply": [
                {"text": "The tower is closed."},
                {
                    "grounding": {
                        "webSearchQueries": ["tower news"],
                        "groundingChunks": [
                            {"web": {"uri": "https://news.example/tower", "title": "Tower"}}
                        ],
                        "groundingSupports": [
                            {
                                "segment": {
                                    "startIndex": 0,
                                    "endIndex": 20,
                                    "text": "The tower is closed.",
                                },
                                "groundingChunkIndices": [0],
                            }
                        ],
                    }
                },
            ]
        }
    ]
}

# A script of an answer that was thought about.
THOUGHTFUL = {
    "fixtures": [{"reply": [{"thought": "The light scatters."}, {"text": "It scatters."}]}]
}

# A script of a stream that fails after its first words.
BROKEN = {
    "fixtures": [{"reply": [{"text": ["The ", "beginning"]}, {"fault": {"kind": "unavailable"}}]}]
}

# A script that has no quota at first.
LATE = {
    "fixtures": [
        {"times": 1, "reply": [{"fault": {"kind": "rateLimited", "retryDelay": "1s"}}]},
        {"reply": "At last."},
    ]
}


def fails(kind):
    """A script of nothing but an error."""
    return {"fixtures": [{"reply": [{"fault": {"kind": kind}}]}]}


# Nobody looks into these.
EMPTY_PNG = "data:image/png;base64," + base64.b64encode(bytes(1 << 16)).decode()
EMPTY_PDF = "data:application/pdf;base64," + base64.b64encode(bytes(1 << 10)).decode()
EMPTY_WAV = base64.b64encode(bytes(1 << 10)).decode()
