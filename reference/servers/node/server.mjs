/**
 * A tool server for Node (protocol socket-v1) on a Unix socket. Run it with
 * `node server.mjs SOCKET_PATH`; offer tools of your own by adding them to those of
 * `toolset.mjs`. Its files are in $MEITH_HOME, or else in $HOME/.meith.
 */

import { once } from 'node:events';
import { lstatSync, mkdirSync, rmSync } from 'node:fs';
import net from 'node:net';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';

import { auditTo } from './audit.mjs';
import { Connection } from './connection.mjs';
import { announce } from './discovery.mjs';
import { Registry } from './registry.mjs';
import { tools } from './toolset.mjs';

const FLUSH_MS = 1000;
// Bytes in the path of a socket; Node 20 cuts a longer one without a word.
const MAX_PATH = process.platform === 'linux' ? 107 : 103;
// Clients that connect at the same moment wait here.
const BACKLOG = 4096;

// Neither a terminal that has gone nor an error in a callback that a tool left behind
// is a reason to die.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});
process.on('uncaughtException', (error) => console.error(error));

const connections = new Set();

/** Listen, in the place of a server that has died but not of one that lives. */
async function listen(server, path) {
  try {
    await bind(server, path);
  } catch (error) {
    if (error.code !== 'EADDRINUSE' || !(await isStale(path))) {
      throw error;
    }
    rmSync(path, { force: true });
    await bind(server, path);
  }
}

function bind(server, path) {
  // The file is the owner's alone from the start; a chmod would come too late.
  const umask = process.umask(0o177);
  server.listen({ path, backlog: BACKLOG });
  process.umask(umask);
  return once(server, 'listening');
}

async function isStale(path) {
  if (!lstatSync(path).isSocket()) {
    return false;
  }
  const socket = net.connect(path);
  try {
    await once(socket, 'connect');
    return false;
  } catch (error) {
    return error.code === 'ECONNREFUSED';
  } finally {
    socket.destroy();
  }
}

/** Tell one file from another that has come to its path; undefined: there is none. */
function identity(path) {
  return lstatSync(path, { throwIfNoEntry: false })?.ino;
}

async function shutDown({ server, registry, withdraw, isOurs }) {
  // To close removes the socket file, whosever it is by now; nobody reaches us by
  // another's.
  if (isOurs()) {
    server.close();
  }
  registry.shutDown();
  const closed = Promise.all(
    [...connections].map((connection) => connection.close()),
  );
  await Promise.race([closed, delay(FLUSH_MS)]);
  withdraw();
  process.exit(0);
}

async function main([path, ...rest]) {
  if (path === undefined || path.startsWith('-') || rest.length > 0) {
    console.error('usage: node server.mjs SOCKET_PATH');
    process.exit(2);
  }
  const socketPath = resolve(path);
  if (Buffer.byteLength(socketPath) > MAX_PATH) {
    throw new Error(`the path of the socket is longer than ${MAX_PATH} bytes`);
  }
  const home = resolve(process.env.MEITH_HOME || join(homedir(), '.meith'));
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const registry = new Registry(tools, {
    audit: auditTo(join(home, 'audit.jsonl')),
  });
  const server = net.createServer({ allowHalfOpen: true }, (socket) => {
    const connection = new Connection(socket, registry);
    connections.add(connection);
    socket.on('close', () => connections.delete(connection));
    connection.serve();
  });
  await listen(server, socketPath);
  server.on('error', (error) => console.error(error));
  const own = identity(socketPath);
  const isOurs = () => identity(socketPath) === own;
  const withdraw = announce(home, socketPath);

  const stop = () => shutDown({ server, registry, withdraw, isOurs });
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(`the server cannot start: ${error.message}`);
  process.exit(1);
}
