"""
openai-agents for Python, as far as a server sees it: a re-statement over the package openai.

The package itself is in no registry that these tests reach. This is not its code: what it does was
read in its repository (src/agents/models/openai_responses.py, items.py, handoffs and run_internal)
and is said again in short, for one agent's turn after the other:

- A request has what the agent says and nothing else: what is None is left out, lists may be empty.
  Functions are strict; a handoff is a function without parameters, "transfer_to_" and the name.
- An item that the model put out goes back as model_dump(exclude_unset=True), with its id, a result
  of a tool as function_call_output, and one of a handoff with the new agent's name in it.
- The agent that takes over is sent the whole history, or what a filter leaves of it, or, as newer
  versions do when told to, messages of the assistant that tell of it in numbered lines.
- Streams are read by with_streaming_response; items are those of the response at the end.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field

import openai
from pydantic import BaseModel


@dataclass
class Tool:
    """A function. Its parameters are those of a model, which is also what it is called with."""

    name: str
    parameters: type[BaseModel]
    run: Callable[[BaseModel], str]


@dataclass
class Agent:
    name: str
    instructions: str | None = None
    tools: list[Tool] = field(default_factory=list)
    handoffs: list["Agent"] = field(default_factory=list)
    hosted_tools: list[dict] = field(default_factory=list)
    output: type[BaseModel] | None = None


@dataclass
class Result:
    """What came of a run: the text, who wrote it, and the input of a run that goes on with it."""

    text: str
    agent: Agent
    input: list[dict]


class Runner:
    """
    Runs agents on a model. With server_keeps only new items are sent, and previous_response_id.
    hand_over says what of a history the agent that takes over is sent.
    """

    def __init__(self, client, model, *, streams=False, server_keeps=False, hand_over=list):
        self._client, self._model = client, model
        self._streams, self._server_keeps, self._hand_over = streams, server_keeps, hand_over

    async def run(self, agent, items):
        history = [{"content": items, "role": "user"}] if isinstance(items, str) else list(items)
        new, previous_response_id = history, None
        while True:
            response = await self._respond(
                agent, new if self._server_keeps else history, previous_response_id
            )
            output = [item.model_dump(exclude_unset=True) for item in response.output]
            results, next_agent = self._answer(agent, response)
            new, history = results, history + output + results
            if not results:
                return Result(response.output_text, agent, history)
            if self._server_keeps:
                previous_response_id = response.id
            if next_agent is not agent:
                agent, history = next_agent, self._hand_over(history)

    async def _respond(self, agent, items, previous_response_id):
        tools = [*map(_function, agent.tools), *agent.hosted_tools, *map(_handoff, agent.handoffs)]
        request = {"model": self._model, "input": items, "include": [], "tools": tools}
        if agent.instructions is not None:
            request["instructions"] = agent.instructions
        if agent.output is not None:
            request["text"] = {"format": _format(agent.output)}
        if previous_response_id is not None:
            request["previous_response_id"] = previous_response_id
        headers = {"User-Agent": "Agents/Python 0.20.0"}
        if not self._streams:
            return await self._client.responses.create(**request, extra_headers=headers)
        create = self._client.responses.with_streaming_response.create
        async with create(**request, stream=True, extra_headers=headers) as answer:
            ends = {"response.completed", "response.incomplete", "response.failed"}
            last = None
            async for event in await answer.parse():
                if event.type in ends:
                    last = event.response
            return last

    def _answer(self, agent, response):
        """Returns the results of the calls, and who goes on."""
        results, takes_over = [], None
        for call in response.output:
            if call.type != "function_call":
                continue
            handoffs = {_handoff(other)["name"]: other for other in agent.handoffs}
            if call.name not in handoffs:
                [tool] = [tool for tool in agent.tools if tool.name == call.name]
                output = tool.run(tool.parameters.model_validate_json(call.arguments))
            elif takes_over:
                output = "Another handoff was first."
            else:
                takes_over = handoffs[call.name]
                output = json.dumps({"assistant": takes_over.name})
            results.append(
                {"call_id": call.call_id, "output": output, "type": "function_call_output"}
            )
        return results, takes_over or agent


def _function(tool):
    function = openai.pydantic_function_tool(tool.parameters)["function"]
    return {
        "name": tool.name,
        "parameters": function["parameters"],
        "strict": True,
        "type": "function",
        "description": "",
    }


def _format(output):
    schema = openai.pydantic_function_tool(output)["function"]["parameters"]
    return {"type": "json_schema", "name": "final_output", "schema": schema, "strict": True}


def _handoff(agent):
    return {
        "name": f"transfer_to_{agent.name.lower()}",
        "parameters": {
            "additionalProperties": False,
            "type": "object",
            "properties": {},
            "required": [],
        },
        "strict": True,
        "type": "function",
        "description": f"Handoff to the {agent.name} agent to handle the request. ",
    }


def without_tools(history):
    """A filter of the package: nothing of tools, and no reasoning."""
    dropped = {"function_call", "function_call_output", "reasoning", "web_search_call"}
    return [item for item in history if item.get("type") not in dropped]


def nested(history):
    """
    The history in messages of the assistant that tell of it, around what the model said itself:
    messages stay as they are, while calls, results and reasoning are lines of text.
    """
    items, lines = [], []
    for item in history:
        if item.get("type") == "message":
            items += [_told(lines), item]
            lines = []
        else:
            lines.append(_line(item))
    return [*items, _told(lines)] if lines else items


def _told(lines):
    content = [
        "For context, here is the conversation so far between the user and the previous agent:",
        "<CONVERSATION HISTORY>",
        *[f"{number}. {line}" for number, line in enumerate(lines, start=1)],
        "</CONVERSATION HISTORY>",
    ]
    return {"role": "assistant", "content": "\n".join(content)}


def _line(item):
    if isinstance(item.get("content"), str) and "role" in item:
        return f"{item['role']}: {item['content']}"
    return json.dumps(item, ensure_ascii=False)
