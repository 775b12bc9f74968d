// SPDX-License-Identifier: Apache-2.0
// SDKs that try again: how often a provider is called in the end. What a route has learned stays, so
// every test has a model of its own.
import assert from "node:assert/strict";
import test from "node:test";

import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";

import { anthropic, hello, openai, protocols, reset, stats } from "./clients.mjs";

const maxRetries = 2;
const asks = {
    openai: (model) =>
        openai.chat.completions.create({ model, messages: hello }, { maxRetries }),
    anthropic: (model) =>
        anthropic.messages.create({ model, max_tokens: 100, messages: hello }, { maxRetries }),
};
const rateLimits = { openai: OpenAI.RateLimitError, anthropic: Anthropic.RateLimitError };

for (const client of protocols) {
    test(`${client}: a rate limit that passes is waited for`, async () => {
        await reset({ status: 429, retry_after: 1 });
        const start = performance.now();
        await assert.rejects(asks[client](`${client}-first`), rateLimits[client]);
        assert.ok(performance.now() - start > maxRetries * 1000);
        for (const protocol of protocols)
            assert.equal((await stats(protocol)).requests, 1 + maxRetries);
    });

    test(`${client}: where waiting is too long there is one try`, async () => {
        await reset({ status: 429, retry_after: 120 });
        await assert.rejects(asks[client](`by-${client}`), (error) => {
            assert.ok(error instanceof rateLimits[client]);
            assert.equal(error.headers.get("x-should-retry"), "false");
            return true;
        });
        assert.equal((await stats(client)).requests, 1);
    });
}
