import OpenAI from "openai";

const client = new OpenAI({ baseURL: process.env.OPENAI_BASE_URL ?? "http://127.0.0.1:8080/v1", apiKey: "any" });

const stream = await client.chat.completions.create({
  model: "gemini-3.6-flash",
  messages: [{ role: "user", content: "Why is the sky blue?" }],
  stream: true,
});
for await (const chunk of stream) {
  process.stdout.write(chunk.choices[0]?.delta?.content ?? "");
}
process.stdout.write("\n");
