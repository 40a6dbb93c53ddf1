"""
pydantic-ai, as far as a server of the Responses API sees it: a re-statement over openai.

The package itself is in no registry that these tests reach. This is not its code: what it does was
read in its repository (pydantic_ai/models/openai.py, OpenAIResponsesModel) and is said again:

- Of an answer it keeps parts: of reasoning the id, the summaries and what is encrypted; of a
  message the text and its id; of a call its ids, name and arguments. Everything else is gone.
- The next request is made of the parts anew: several summaries of one id are one item again, texts
  of one id one message. Without ids a text is role and content, and a thought is not sent.
- A stream is read event by event: a call begins with its item and grows by deltas, reasoning is
  known when its item is done, text is the deltas.
"""

import json
from dataclasses import dataclass


@dataclass
class Thinking:
    id: str
    summary: str
    encrypted: str | None


@dataclass
class Text:
    id: str
    text: str


@dataclass
class Call:
    id: str
    call_id: str
    name: str
    arguments: str


class Conversation:
    """What was said so far. With ids, items go back by the ids that they came with."""

    def __init__(self, client, model, tools, *, streams, sends_ids):
        self._client, self._model, self._tools = client, model, tools
        self._streams, self._sends_ids = streams, sends_ids
        self._input = []
        self.tokens = 0

    async def ask(self, prompt):
        """Returns the parts of an answer."""
        self._input.append({"role": "user", "content": prompt})
        return await self._respond()

    async def answer(self, calls, result):
        """Gives every call the same result, and returns the parts of the answer to that."""
        for call in calls:
            output = {"type": "function_call_output", "call_id": call.call_id, "output": result}
            self._input.append(output)
        return await self._respond()

    async def _respond(self):
        request = {
            "model": self._model,
            "input": self._input,
            "tools": [{"type": "function", **tool, "strict": False} for tool in self._tools],
            "tool_choice": "auto",
            "parallel_tool_calls": True,
            "reasoning": {"effort": "low", "summary": "auto"},
            "stream": self._streams,
        }
        if self._sends_ids:
            request["include"] = ["reasoning.encrypted_content"]
        answer = await self._client.responses.create(**request)
        parts = await self._read(answer) if self._streams else self._parts(answer)
        self._input += self._items(parts)
        return parts

    def _parts(self, response):
        self.tokens = response.usage.total_tokens
        parts = []
        for item in response.output:
            if item.type == "reasoning":
                parts += _thoughts(item)
            elif item.type == "function_call":
                parts.append(Call(item.id, item.call_id, item.name, item.arguments))
            elif item.type == "message":
                parts += [
                    Text(item.id, part.text) for part in item.content if part.type == "output_text"
                ]
        return parts

    async def _read(self, stream):
        parts = []
        async for event in stream:
            match event.type:
                case "response.output_item.added" if event.item.type == "function_call":
                    parts.append(Call(event.item.id, event.item.call_id, event.item.name, ""))
                case "response.function_call_arguments.delta":
                    [call] = [part for part in parts if part.id == event.item_id]
                    call.arguments += event.delta
                case "response.output_text.delta":
                    if not parts or parts[-1].id != event.item_id:
                        parts.append(Text(event.item_id, ""))
                    parts[-1].text += event.delta
                case "response.output_item.done" if event.item.type == "reasoning":
                    parts += _thoughts(event.item)
                case "response.completed":
                    self.tokens = event.response.usage.total_tokens
        return parts

    def _items(self, parts):
        items = []
        for part in parts:
            match part:
                case Thinking() if self._sends_ids:
                    _add_thought(items, part)
                case Text() if self._sends_ids:
                    items.append(_message(part))
                case Text():
                    items.append({"role": "assistant", "content": part.text})
                case Call():
                    items.append(_call(part) | ({"id": part.id} if self._sends_ids else {}))
        return items


def _thoughts(item):
    """Returns a part for each summary, of which the first has what is encrypted."""
    encrypted = getattr(item, "encrypted_content", None)
    if not item.summary:
        return [Thinking(item.id, "", encrypted)] if encrypted else []
    first, *others = [Thinking(item.id, summary.text, None) for summary in item.summary]
    first.encrypted = encrypted
    return [first, *others]


def _add_thought(items, part):
    if not items or items[-1].get("id") != part.id:
        item = {
            "type": "reasoning",
            "id": part.id,
            "summary": [],
            "encrypted_content": part.encrypted,
        }
        items.append(item)
    if part.summary:
        items[-1]["summary"].append({"type": "summary_text", "text": part.summary})


def _message(part):
    content = [{"type": "output_text", "text": part.text, "annotations": []}]
    members = {"type": "message", "role": "assistant", "status": "completed"}
    return members | {"id": part.id, "content": content}


def _call(part):
    arguments = json.dumps(json.loads(part.arguments))
    members = {"type": "function_call", "name": part.name, "arguments": arguments}
    return members | {"call_id": part.call_id}
