/** The files by which clients find the server: `config.json` and `instances/`. */

import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

/** Say in the home folder where the server listens; returns what takes it back. */
export function announce(home, socketPath) {
  const instances = join(home, 'instances');
  mkdirSync(instances, { recursive: true, mode: 0o700 });
  reap(instances);
  const record = join(instances, `${process.pid}.json`);
  write(home, record, {
    pid: process.pid,
    socketPath,
    userDataPath: home,
    startedAt: new Date().toISOString(),
  });
  const config = join(home, 'config.json');
  write(home, config, { ...read(config), socketPath });
  return () => rmSync(record, { force: true });
}

/** Remove the records of processes that have died without doing so. */
function reap(instances) {
  for (const name of readdirSync(instances).filter((file) =>
    file.endsWith('.json'),
  )) {
    const path = join(instances, name);
    const pid = read(path).pid ?? Number.parseInt(name, 10);
    if (Number.isInteger(pid) && pid > 0 && !isAlive(pid)) {
      rmSync(path, { force: true });
    }
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** The object in a JSON file; an empty one where there is none. */
function read(path) {
  try {
    const value = JSON.parse(readFileSync(path, 'utf8'));
    return typeof value === 'object' && !Array.isArray(value) ? (value ?? {}) : {};
  } catch {
    return {};
  }
}

// By way of a file outside `instances/`, so that nobody reads half of one.
function write(home, path, value) {
  const partial = join(home, `${process.pid}.partial`);
  writeFileSync(partial, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(partial, path);
}
