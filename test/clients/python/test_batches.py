"""OpenAI's own client for Python, by the Files and Batch API."""

import json
import tempfile
import time
import unittest

import openai

from client import connect
from conversation import MODEL, PROMPT
from gateway import Gateway

ENDS = ("completed", "failed", "expired", "cancelled")

# What is asked at each path.
BODIES = {
    "/v1/chat/completions": {"model": MODEL, "messages": [{"role": "user", "content": PROMPT}]},
    "/v1/responses": {"model": MODEL, "input": PROMPT},
    "/v1/embeddings": {"model": "gemini-embedding-001", "input": PROMPT, "dimensions": 3},
}


def message_of(response):
    """Returns the message of a response, after which an item may have its signature."""
    return next(item for item in response["output"] if item["type"] == "message")


# Whether the body of an answer has what was asked at a path.
IS_ANSWER = {
    "/v1/chat/completions": lambda body: PROMPT in body["choices"][0]["message"]["content"],
    "/v1/responses": lambda body: PROMPT in message_of(body)["content"][0]["text"],
    "/v1/embeddings": lambda body: len(body["data"][0]["embedding"]) == 3,
}


def setUpModule():
    global client
    store = unittest.enterModuleContext(tempfile.TemporaryDirectory(prefix="bulk-"))
    gateway = unittest.enterModuleContext(Gateway("--store", store))
    client = unittest.enterModuleContext(connect(gateway))


def upload(lines):
    content = "".join(f"{line}\n" for line in lines).encode()
    return client.files.create(file=("requests.jsonl", content), purpose="batch")


def line_of(name, url, body):
    return json.dumps({"custom_id": name, "method": "POST", "url": url, "body": body})


def ended(file, endpoint, **options):
    """Begins a batch, and waits for its end."""
    request = {"endpoint": endpoint, "completion_window": "24h", **options}
    batch = client.batches.create(input_file_id=file.id, **request)
    deadline = time.monotonic() + 30
    while batch.status not in ENDS:
        assert time.monotonic() < deadline, f"the batch stays {batch.status}"
        time.sleep(0.1)
        batch = client.batches.retrieve(batch.id)
    return batch


def results(file_id):
    return [json.loads(line) for line in client.files.content(file_id).text.splitlines()]


class Batches(unittest.TestCase):
    def test_a_batch_is_answered(self):
        for url, body in BODIES.items():
            with self.subTest(url):
                file = upload(line_of(f"line {number}", url, body) for number in range(3))
                client.files.wait_for_processing(file.id, poll_interval=0.1)
                batch = ended(file, url, metadata={"name": "mine"})
                self.assertEqual(batch.status, "completed")
                self.assertEqual(batch.request_counts.completed, 3)
                self.assertEqual(batch.metadata, {"name": "mine"})
                lines = results(batch.output_file_id)
                names = sorted(line["custom_id"] for line in lines)
                self.assertEqual(names, ["line 0", "line 1", "line 2"])
                for line in lines:
                    self.assertEqual(line["response"]["status_code"], 200)
                    body = line["response"]["body"]
                    self.assertTrue(IS_ANSWER[url](body), body)

    def test_a_batch_of_failures_alone_has_an_error_file_alone(self):
        url = "/v1/responses"
        batch = ended(upload([line_of("a", url, {"model": "gemmini-9", "input": "?"})]), url)
        self.assertIsNone(batch.output_file_id)
        [line] = results(batch.error_file_id)
        self.assertEqual(line["response"]["status_code"], 404)

    def test_a_wrong_file_fails_with_all_its_lines(self):
        url = "/v1/responses"
        good = line_of("a", url, BODIES[url])
        batch = ended(upload([good, good, '{"custom_id":']), url)
        self.assertEqual(batch.status, "failed")
        codes = [(error.line, error.code) for error in batch.errors.data]
        self.assertEqual(codes, [(2, "duplicate_custom_id"), (3, "invalid_json_line")])

    def test_files_and_batches_are_listed_page_by_page(self):
        created = []
        for _ in range(3):
            file = upload([line_of("a", "/v1/responses", BODIES["/v1/responses"])])
            created.append(ended(file, "/v1/responses").id)
        files = [file.id for file in client.files.list(limit=2, purpose="batch")]
        self.assertEqual(files.count(file.id), 1)
        self.assertEqual(len(files), len(set(files)))
        batches = [batch.id for batch in client.batches.list(limit=2)]
        self.assertEqual(batches[:3], created[::-1])
        self.assertEqual(len(batches), len(set(batches)))

    def test_a_file_is_deleted(self):
        file = client.files.create(file=("notes.txt", b"text"), purpose="user_data")
        self.assertEqual(client.files.content(file.id).text, "text")
        self.assertTrue(client.files.delete(file.id).deleted)
        with self.assertRaises(openai.NotFoundError):
            client.files.retrieve(file.id)

    def test_what_cannot_be_is_refused_at_once(self):
        with self.assertRaises(openai.NotFoundError):
            client.batches.retrieve("batch_0")
        with self.assertRaises(openai.BadRequestError):
            client.files.create(file=("requests.csv", b"x"), purpose="batch")


if __name__ == "__main__":
    unittest.main()
