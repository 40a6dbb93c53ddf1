"""The package openai as these tests call it, and what its two versions do not share."""

import os

import openai
from openai.lib.streaming.chat import _completions
from pydantic_core import from_json

# Version 1.69.0 has the helpers of chat.completions in a place of its own, and counts no tokens.
IS_VERSION_1 = openai.VERSION.startswith("1.")

_BEHAVIOUR = {"api_key": "any", "max_retries": 0}

# The package asks for settings here when it is told none.
for _name in [name for name in os.environ if name.startswith("OPENAI_")]:
    del os.environ[_name]

# Debian's package reads JSON that is not complete yet by pydantic_core in place of jiter, and asks
# for that by jiter's name of the option.
_completions.from_json = lambda data, partial_mode: from_json(data, allow_partial=partial_mode)


def connect(gateway, **options):
    """Returns a client of a gateway, which tries nothing again."""
    return openai.OpenAI(base_url=gateway.openai, **_BEHAVIOUR | options)


def connect_async(gateway, **options):
    """Returns a client for coroutines."""
    return openai.AsyncOpenAI(base_url=gateway.openai, **_BEHAVIOUR | options)


def chat_helpers(client):
    """Returns what has parse and stream."""
    return client.beta.chat.completions if IS_VERSION_1 else client.chat.completions
