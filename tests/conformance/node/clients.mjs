// SPDX-License-Identifier: Apache-2.0
// Both Node SDKs as clients of an agent, and the scripts of the providers behind it. WEIR_URL is the
// agent's data plane, WEIR_CONTROL_OPENAI and WEIR_CONTROL_ANTHROPIC the providers' control ports
// (tests/support/sdk_world.py). The SDKs' own retries are off: nothing else may hide what a provider
// did.
import test from "node:test";

import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";

const url = process.env.WEIR_URL;
const controls = {
    openai: process.env.WEIR_CONTROL_OPENAI,
    anthropic: process.env.WEIR_CONTROL_ANTHROPIC,
};

export const protocols = ["openai", "anthropic"];
export const openai = new OpenAI({ baseURL: `${url}/v1`, apiKey: "none", maxRetries: 0 });
export const anthropic = new Anthropic({ baseURL: url, apiKey: "none", maxRetries: 0 });

export const TEXT =
    "The river rises over the weir and finds its level, 語🌍 slowly für everyone who waits.";
export const hello = [{ role: "user", content: "hello" }];
export const schema = {
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
    additionalProperties: false,
};
export const openaiTools = ["weather", "time"].map((name) => ({
    type: "function",
    function: { name, description: "d", parameters: schema },
}));
export const anthropicTools = ["weather", "time"].map((name) => ({
    name,
    description: "d",
    input_schema: schema,
}));
export const calls = [
    { name: "weather", arguments: { city: "Berlin" } },
    { name: "time", arguments: { city: "Zürich 語" } },
    { name: "time", arguments: {} },
];

async function control(protocol, path, body) {
    const answer = await fetch(`${controls[protocol]}${path}`, {
        method: body === undefined ? "GET" : "POST",
        body: body === undefined ? undefined : JSON.stringify(body),
    });
    const result = await answer.json();
    if (!answer.ok) throw new Error(JSON.stringify(result));
    return result;
}

/// Merges the keys into one provider's script, or into both.
export async function script(keys, only = protocols) {
    for (const protocol of [only].flat()) await control(protocol, "/_control", keys);
}

export async function reset(keys = {}) {
    for (const protocol of protocols) await control(protocol, "/_reset", {});
    await script(keys);
}

export async function stats(protocol) {
    return control(protocol, "/_stats");
}

/// The body of the provider's last request.
export async function seen(protocol) {
    const { requests } = await control(protocol, "/_requests?limit=1");
    return JSON.parse(requests[0].body);
}

/// Returns once the condition holds; the suite's own limit ends what never comes.
export async function until(condition) {
    while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
}

/// The test with each upstream protocol, whole and streamed.
export function eachWay(name, run) {
    for (const upstream of protocols) {
        for (const stream of [false, true]) {
            test(`${name}, upstream ${upstream}, stream ${stream}`, async () => {
                await reset();
                await run(upstream, stream);
            });
        }
    }
}
