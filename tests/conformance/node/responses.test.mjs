// SPDX-License-Identifier: Apache-2.0
// OpenAI's Responses and Embeddings, which pass through to who declares them.
import assert from "node:assert/strict";
import test from "node:test";

import OpenAI from "openai";
import { ResponsesToolRunner } from "openai/helpers/responses-tool-runner";

import { TEXT, openai, reset, schema, seen } from "./clients.mjs";

const model = "by-openai";
const cities = ["Berlin", "Zürich", "東京", "São Paulo"];
const calls = cities.map((city) => ({ name: "weather", arguments: { city } }));
const turns = [
    { tool_calls: calls.slice(0, 2) },
    { tool_calls: calls.slice(2) },
    { text: "Done." },
];

for (const stream of [false, true]) {
    test(`text and usage, stream ${stream}`, async () => {
        await reset({ input_tokens: 1200, cached_tokens: 1000, reasoning_tokens: 3 });
        const request = { model, input: "hello" };
        const answer = stream
            ? await openai.responses.stream(request).finalResponse()
            : await openai.responses.create(request);
        assert.equal(answer.output_text, TEXT);
        assert.equal(answer.usage.input_tokens_details.cached_tokens, 1000);
        assert.equal(answer.usage.output_tokens_details.reasoning_tokens, 3);
    });

    test(`structured answers, stream ${stream}`, async () => {
        await reset();
        const format = { type: "json_schema", name: "city", schema, strict: true };
        const request = { model, input: "hello", text: { format } };
        const answer = stream
            ? await openai.responses.stream(request).finalResponse()
            : await openai.responses.parse(request);
        assert.deepEqual(answer.output_parsed, { city: "Berlin" });
    });

    test(`tool runner, stream ${stream}`, async () => {
        await reset({ reasoning_tokens: 2, turns });
        const asked = [];
        const execute = ({ city }) => {
            asked.push(city);
            return `${20 + asked.length} °C`;
        };
        const tool = { type: "function", name: "weather", parameters: schema, strict: true };
        const runner = new ResponsesToolRunner({ functions: [{ tool, execute }] });
        const request = {
            model,
            input: "Which city is the warmest?",
            store: false,
            include: ["reasoning.encrypted_content"],
        };
        const answer = await runner.run(openai, request, { stream });
        assert.equal(answer.output_text, "Done.");
        assert.deepEqual(asked, cities);
        const items = (await seen("openai")).input;
        const reasoning = items.filter((item) => item.type === "reasoning");
        assert.equal(reasoning.length, 2);
        assert.ok(reasoning.every((item) => item.encrypted_content));
    });

    test(`a refusal, stream ${stream}`, async () => {
        await reset({ status: 400 });
        await assert.rejects(
            openai.responses.create({ model, input: "hello", stream }),
            OpenAI.BadRequestError,
        );
    });
}

test("embeddings, as numbers and as the SDK likes them", async () => {
    await reset();
    for (const encoding_format of [undefined, "float"]) {
        const input = ["a", "b"];
        const answer = await openai.embeddings.create({ model, input, encoding_format });
        assert.deepEqual(
            answer.data.map((each) => [...each.embedding]),
            [
                [0.25, -0.5, 0.125, 1],
                [0.25, -0.5, 0.125, 1],
            ],
        );
    }
});
