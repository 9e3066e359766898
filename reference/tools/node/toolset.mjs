/** The conformance toolset as an exec tool: `node toolset.mjs [--server]`. */

import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';

import { ToolError, serve } from './exec-tool.mjs';

// That of this process: each one-shot call begins anew.
let counter = 0;

const tools = {
  conformance_echo: ({ value }) => ({ value }),
  conformance_return: ({ value }) => value,
  conformance_fail({ message }) {
    throw new ToolError(message);
  },
  conformance_throw({ message }) {
    throw new Error(message);
  },
  conformance_counter({ by = 1 }) {
    counter += by;
    return { counter };
  },
  async conformance_sleep({ ms }) {
    await delay(ms);
    return { slept_ms: ms };
  },
  conformance_blob: ({ size }) => 'x'.repeat(size),
  conformance_print({ text }) {
    console.log(text);
    return { printed: true };
  },
  conformance_stderr({ size }) {
    process.stderr.write('x'.repeat(size));
    return { written: size };
  },
  conformance_env: ({ names }) =>
    // fromEntries, because assigning to the key __proto__ would set the prototype.
    Object.fromEntries(
      names.map((name) => [name, Object.hasOwn(process.env, name) ? process.env[name] : null]),
    ),
};

await serve(async ({ tool, arguments: args = {} }) => {
  if (!Object.hasOwn(tools, tool)) {
    throw new ToolError(`there is no tool ${JSON.stringify(tool)}`);
  }
  return tools[tool](args);
});
