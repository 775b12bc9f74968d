// SPDX-License-Identifier: Apache-2.0
// The SDKs' own agent loops: five calls of a tool until they are done. Their first provider dies after
// the second call; the other one, of the other protocol, takes the conversation over.
import assert from "node:assert/strict";
import test from "node:test";

import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";

import { anthropic, openai, protocols, reset, schema, script, seen, stats } from "./clients.mjs";

const cities = ["Berlin", "Zürich", "Łódź", "東京", "São Paulo"];
const call = (city) => ({ name: "weather", arguments: { city } });
// Two calls at once in the third turn.
const turns = [
    { text: "I look.", tool_calls: [call(cities[0])] },
    { tool_calls: [call(cities[1])] },
    { tool_calls: [call(cities[2]), call(cities[3])] },
    { tool_calls: [call(cities[4])] },
    { text: "São Paulo is." },
];
const messages = [{ role: "user", content: "Which city is the warmest?" }];
const description = "The weather in a city";

/// What the tool does, and what it was asked.
function weatherTool(first) {
    const asked = [];
    const run = async ({ city }) => {
        asked.push(city);
        if (asked.length === 2) await script({ listening: false }, first);
        return `${20 + asked.length} °C in ${city}`;
    };
    return { asked, run };
}

async function runOpenai(model, stream, run) {
    const tool = {
        type: "function",
        function: {
            name: "weather",
            description,
            parameters: schema,
            parse: JSON.parse,
            function: run,
        },
    };
    const request = { model, messages, tools: [tool], stream };
    return openai.chat.completions.runTools(request).finalContent();
}

async function runAnthropic(model, stream, run) {
    const tool = betaTool({ name: "weather", description, inputSchema: schema, run });
    const request = { model, max_tokens: 1000, messages, tools: [tool], stream };
    const last = await anthropic.beta.messages.toolRunner(request);
    return last.content.at(-1).text;
}

for (const [client, runLoop] of Object.entries({ openai: runOpenai, anthropic: runAnthropic })) {
    for (const first of protocols) {
        for (const stream of [false, true]) {
            test(`${client}'s tool runner, ${first} first, stream ${stream}`, async () => {
                await reset({ turns });
                const { asked, run } = weatherTool(first);
                const said = await runLoop(`${first}-first`, stream, run);
                assert.equal(said, "São Paulo is.");
                assert.deepEqual(asked, cities);
                const second = protocols.find((each) => each !== first);
                assert.deepEqual((await stats(first)).statuses, { 200: 2 });
                assert.deepEqual((await stats(second)).statuses, { 200: 3 });
                const history = JSON.stringify((await seen(second)).messages);
                for (const [at, city] of cities.entries())
                    assert.ok(history.includes(`${21 + at} °C in ${city}`));
            });
        }
    }
}
