/** One client: its lines in, its frames out, its calls in flight. */

import { randomUUID } from 'node:crypto';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';

import { LineReader, MAX_LINE, ProtocolError, readMessage } from './messages.mjs';

const PROBE_MS = 50;

export class Connection {
  #socket;
  #registry;
  #sessionId = randomUUID();
  #calls = new Map();
  #drained;

  /** The socket must have been accepted with `allowHalfOpen`. */
  constructor(socket, registry) {
    this.#socket = socket;
    this.#registry = registry;
    // What went wrong is of no use here: `close` follows.
    socket.on('error', () => {});
    socket.on('close', () => {
      for (const call of [...this.#calls.values()]) {
        call.abort('CANCELLED', 'the connection was closed');
      }
    });
  }

  /** Serve until the client has gone, or has said all and got its results. */
  async serve() {
    const lines = new LineReader();
    try {
      // The write side outlives the end of the read side.
      for await (const chunk of this.#socket.iterator({ destroyOnReturn: false })) {
        for (const line of lines.push(chunk)) {
          if (this.#socket.destroyed) {
            return;
          }
          this.#receive(line);
          // Let the frame be answered, and read no more than the client takes.
          await turn();
          await this.#room();
        }
      }
    } catch {
      // The client has gone: `close` has ended its calls.
      return;
    }
    if (lines.pending) {
      this.#refuse(new ProtocolError('the last line has no line feed'));
    }
    await this.#results();
    this.#socket.end();
  }

  /** Send what is queued, then close. */
  close() {
    return new Promise((closed) => {
      this.#socket.once('close', closed);
      this.#socket.destroySoon();
    });
  }

  #receive(line) {
    try {
      if (line === undefined) {
        throw new ProtocolError(`the line is longer than ${MAX_LINE} bytes`);
      }
      const message = readMessage(line);
      switch (message?.type) {
        case 'list_tools':
          this.#send({ type: 'tools_list', tools: this.#registry.list() });
          break;
        case 'tool_call':
          this.#call(message);
          break;
        case 'cancel_tool_call':
          this.#calls
            .get(message.requestId)
            ?.abort('CANCELLED', 'the client cancelled the call');
          break;
      }
    } catch (error) {
      this.#refuse(error);
    }
  }

  #call(message) {
    const { requestId, clientInfo = {} } = message;
    if (this.#calls.has(requestId)) {
      throw new ProtocolError('a call with this requestId is in flight', requestId);
    }
    const { caller, cwd, spaceId, tabId } = clientInfo;
    const call = this.#registry.start(message, {
      context: {
        // Only `cli` and `plugin` can be claimed.
        caller: caller === 'plugin' ? 'plugin' : 'cli',
        sessionId: this.#sessionId,
        cwd,
        spaceId,
        tabId,
      },
      emit: (event) => {
        this.#send({ type: 'tool_event', requestId, event });
        return this.#room();
      },
      sendResult: (result) => {
        this.#send({ type: 'tool_result', requestId, result });
        this.#calls.delete(requestId);
      },
    });
    if (call.open) {
      this.#calls.set(requestId, call);
    }
  }

  #refuse({ message, requestId }) {
    this.#send({ type: 'error', requestId, code: 'PROTOCOL_ERROR', message });
  }

  #send({ type, ...body }) {
    // One write a frame. What the client does not take is queued.
    const frame = `${JSON.stringify({ type, protocol: 1, ...body })}\n`;
    if (this.#socket.writable) {
      this.#socket.write(frame);
    }
  }

  /** Resolves when the client has taken what is queued, or has gone. */
  #room() {
    if (!this.#socket.writableNeedDrain) {
      return undefined;
    }
    this.#drained ??= new Promise((resolve) => {
      const done = () => {
        this.#socket.off('drain', done);
        this.#socket.off('close', done);
        this.#drained = undefined;
        resolve();
      };
      this.#socket.on('drain', done);
      this.#socket.on('close', done);
    });
    return this.#drained;
  }

  async #results() {
    while (this.#calls.size > 0) {
      // After the end of its input a client that has gone looks like one that still
      // listens. A write tells them apart, even of nothing.
      if (this.#socket.writableLength === 0) {
        this.#socket.write('');
      }
      await delay(PROBE_MS);
    }
  }
}
