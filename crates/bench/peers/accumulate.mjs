// The clients of Node, as `accumulate.py` runs them: accumulate.mjs API FILE RUNS
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const load = createRequire(import.meta.url);
const [api, file, runs] = process.argv.slice(2);
const stream = readFileSync(file);
const headers = { "content-type": "text/event-stream" };
const options = { apiKey: "none", fetch: async () => new Response(stream, { headers }) };
const ask = [{ role: "user", content: "hi" }];

const readers = {
  async anthropic_messages() {
    const { Anthropic } = load("@anthropic-ai/sdk");
    const client = new Anthropic(options);
    return client.messages.stream({ model: "m", max_tokens: 9, messages: ask }).finalMessage();
  },
  async openai_chat() {
    const { OpenAI } = load("openai");
    const client = new OpenAI(options);
    return client.chat.completions.stream({ model: "m", messages: ask }).finalChatCompletion();
  },
  async openai_responses() {
    const { OpenAI } = load("openai");
    const client = new OpenAI(options);
    return client.responses.stream({ model: "m", input: "hi" }).finalResponse();
  },
};

let ms = Infinity;
for (let run = 0; run < Number(runs); run += 1) {
  const start = performance.now();
  await readers[api]();
  ms = Math.min(ms, performance.now() - start);
}
console.log(JSON.stringify({ ms }));
