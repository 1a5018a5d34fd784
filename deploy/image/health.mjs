/**
 * Whether the processes of this container live, its worker has begun to work, and its edge answers anything at all. It
 * does not ask for more: with the store away an edge serves on, and so do databases beside a worker that was started
 * again and waits for it. A container that were replaced for that would not.
 */
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';

const { LILAC_HOME = '/var/lib/lilac', LILAC_PORT = '7080', LILAC_BIND = '::' } = process.env;
const roles = JSON.parse(readFileSync(join(LILAC_HOME, 'run', 'roles.json'), 'utf8'));
const { supervisor = [], store, ...processes } = roles;
if (store?.some((pid) => !isAlive(pid))) fail('The store does not run.');
if (!supervisor.some(isAlive)) fail('The supervisor does not run.');
for (const [role, pids] of Object.entries(processes)) {
  if (pids.length === 0 || !pids.every(isAlive)) fail(`The ${role} does not run.`);
}
if (processes.worker && !readReady().includes('worker')) fail('The worker has not begun to work yet.');
if (processes.edge) await askEdge();

/** The roles that were ready for work once, since this container was started. */
function readReady() {
  try {
    return JSON.parse(readFileSync(join(LILAC_HOME, 'run', 'ready.json'), 'utf8'));
  } catch {
    return [];
  }
}

function askEdge() {
  const host = LILAC_BIND === '::' || LILAC_BIND === '0.0.0.0' ? '127.0.0.1' : LILAC_BIND;
  return new Promise((resolve) => {
    const asked = request({ host, port: LILAC_PORT, path: '/', timeout: 20_000 }, (answer) => {
      answer.resume();
      resolve();
    });
    asked.on('timeout', () => asked.destroy(new Error('no answer in time')));
    asked.on('error', (error) => fail(`The edge does not answer: ${error.message}`));
    asked.end();
  });
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function fail(reason) {
  console.error(reason);
  process.exit(1);
}
