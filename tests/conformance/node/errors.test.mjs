// SPDX-License-Identifier: Apache-2.0
// A provider's refusal is an error of the client's own SDK, whatever protocol it speaks. The models are
// those of Refusals in tests/support/sdk_world.py.
import assert from "node:assert/strict";
import test from "node:test";

import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";

import { anthropic, hello, openai, protocols } from "./clients.mjs";

// The refusal, its class in OpenAI's and in Anthropic's SDK, and Anthropic's type. A refused key is
// the agent's own, which the client can do nothing about: to it the provider does not answer.
const refusals = {
    s400: [OpenAI.BadRequestError, Anthropic.BadRequestError, "invalid_request_error"],
    s401: [OpenAI.InternalServerError, Anthropic.InternalServerError, "api_error"],
    s404: [OpenAI.NotFoundError, Anthropic.NotFoundError, "not_found_error"],
    s429: [OpenAI.RateLimitError, Anthropic.RateLimitError, "rate_limit_error"],
    s500: [OpenAI.InternalServerError, Anthropic.InternalServerError, "api_error"],
    s529: [OpenAI.InternalServerError, Anthropic.InternalServerError, "overloaded_error"],
    overflow: [OpenAI.BadRequestError, Anthropic.BadRequestError, "invalid_request_error"],
};

async function read(answer, stream) {
    if (!stream) return;
    for await (const _ of answer);
}

async function askOpenai(model, stream) {
    await read(await openai.chat.completions.create({ model, messages: hello, stream }), stream);
}

async function askAnthropic(model, stream) {
    const request = { model, max_tokens: 100, messages: hello, stream };
    await read(await anthropic.messages.create(request), stream);
}

for (const [name, [openaiClass, anthropicClass, type]] of Object.entries(refusals)) {
    for (const upstream of protocols) {
        for (const stream of [false, true]) {
            test(`${name}, upstream ${upstream}, stream ${stream}`, async () => {
                const model = `${name}-${upstream}`;
                await assert.rejects(askOpenai(model, stream), (error) => {
                    assert.ok(error instanceof openaiClass, error.constructor.name);
                    assert.ok(error.type);
                    if (name === "overflow") assert.equal(error.code, "context_length_exceeded");
                    return true;
                });
                await assert.rejects(askAnthropic(model, stream), (error) => {
                    assert.ok(error instanceof anthropicClass, error.constructor.name);
                    assert.equal(error.error.error.type, type);
                    if (name === "overflow") assert.match(error.message, /prompt is too long/);
                    return true;
                });
            });
        }
    }
}

for (const name of ["error", "cut"]) {
    for (const upstream of protocols) {
        test(`a stream that breaks (${name}) is an error, upstream ${upstream}`, async () => {
            await assert.rejects(askOpenai(`${name}-${upstream}`, true), OpenAI.APIError);
            await assert.rejects(askAnthropic(`${name}-${upstream}`, true), Anthropic.APIError);
        });
    }
}
