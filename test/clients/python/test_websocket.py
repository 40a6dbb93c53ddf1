"""OpenAI's own client for Python, by the Responses API on a WebSocket."""

import unittest
from importlib import import_module

from client import connect
from conversation import BOOKED, CALLS, FUNCTIONS, LOOP, MODEL, RESULT, SLOW, TABLE
from gateway import Gateway

try:
    import_module("websockets")  # which the client imports when it connects
    import_module("openai.resources.responses.responses").ResponsesConnection
except (ImportError, AttributeError) as missing:
    raise unittest.SkipTest(f"this release has no WebSockets: {missing}")

TOOLS = [{"type": "function", "strict": False, **function} for function in FUNCTIONS]


def create(connection, **request):
    """Returns the last event of a turn."""
    connection.response.create(model=MODEL, **request)
    for event in connection:
        if event.type in ("response.completed", "response.failed", "error"):
            return event


class WebSocket(unittest.TestCase):
    def test_answers_come_in_their_order(self):
        with Gateway() as own, connect(own) as client, client.responses.connect() as connection:
            for text in "one", "two":
                event = create(connection, input=text)
                self.assertEqual(event.response.output_text, f"You said: {text}")

    def test_a_loop_of_three_turns_sends_only_what_is_new(self):
        with Gateway(script=LOOP) as own, connect(own) as client:
            with client.responses.connect() as connection:
                response = create(connection, input=TABLE, tools=TOOLS, store=False).response
                names = []
                for turn in range(4):
                    calls = [item for item in response.output if item.type == "function_call"]
                    names += [call.name for call in calls]
                    if not calls:
                        break
                    results = [
                        {
                            "type": "function_call_output",
                            "call_id": call.call_id,
                            "output": RESULT,
                        }
                        for call in calls
                    ]
                    response = create(
                        connection,
                        input=results,
                        tools=TOOLS,
                        store=False,
                        previous_response_id=response.id,
                    ).response
                self.assertEqual(response.output_text, BOOKED)
                self.assertEqual(names, [name for name, _ in CALLS])

    def test_an_error_of_a_request_leaves_the_connection_open(self):
        with Gateway() as own, connect(own) as client, client.responses.connect() as connection:
            event = create(connection, input="x", previous_response_id="resp_before")
            self.assertEqual(event.type, "error")
            self.assertEqual(event.error.code, "previous_response_not_found")
            self.assertEqual(event.status, 400)
            event = create(connection, input="again")
            self.assertEqual(event.response.output_text, "You said: again")

    def test_a_client_that_leaves_ends_the_request(self):
        with Gateway(script=SLOW) as own, connect(own) as client:
            with client.responses.connect() as connection:
                connection.response.create(model=MODEL, input="Tell me slowly")
                for event in connection:
                    if event.type == "response.output_text.delta":
                        break
            own.idle()


if __name__ == "__main__":
    unittest.main()
