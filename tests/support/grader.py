# SPDX-License-Identifier: Apache-2.0
"""A model that grades the two answers of a mirror's comparison, by a table of texts."""

import http.server
import json
import threading


class Judge:
    """A grader that speaks OpenAI's protocol: it gives each answer the grade of its text."""

    def __init__(self):
        self.grades = {}
        self.seen = []
        judge = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                data = json.dumps(judge.answer(body)).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, body):
        orders, question = (message["content"] for message in body["messages"])
        question = json.loads(question)
        self.seen.append(question)
        verdict = json.loads(orders[orders.rindex("{") :])
        for name in ("first", "second"):
            verdict[name] = self.grades[question[f"{name}_answer"].strip()]
        text = "My verdict:\n" + json.dumps(verdict)
        return {
            "id": "j",
            "object": "chat.completion",
            "model": body["model"],
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": text},
                    "finish_reason": "stop",
                }
            ],
            "usage": {"prompt_tokens": 50, "completion_tokens": 10, "total_tokens": 60},
        }

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
