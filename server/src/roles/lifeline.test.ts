import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { start } from '../lib/exec.ts';
import type { ToRole } from '../supervisor/role-messages.ts';

const PROGRAM = `
const { connectToSupervisor } = await import(process.argv[1]);
const lifeline = connectToSupervisor();
lifeline.onMessage((message) => process.send({ heard: message.type }));
lifeline.signal.addEventListener('abort', () => process.send({ isFinal: lifeline.isFinal() }, () => process.exit()));
process.send({ heard: 'nothing' });`;

/** A process at the other end of a supervisor's channel. */
async function startRole() {
  const lifeline = fileURLToPath(new URL('./lifeline.ts', import.meta.url));
  const argv = [process.execPath, '--input-type=module', '-e', PROGRAM, lifeline] as const;
  const child = start(argv, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], env: {} });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said: unknown[] = [];
  child.on('message', (message) => said.push(message));
  await once(child, 'message');
  const tell = async (message: ToRole) => {
    child.send(message);
    await once(child, 'message');
  };
  const ended = once(child, 'exit').then(() => said);
  return { child, said, tell, ended };
}

it('who alone is told to end by a signal ends, and another process takes its place', async () => {
  const { child, ended } = await startRole();
  child.kill('SIGTERM');
  expect(await ended).toContainEqual({ isFinal: false });
});

it('who is told so with the supervisor waits for its turn, and knows then that everything stops', async () => {
  const { child, said, tell, ended } = await startRole();
  await tell({ type: 'await-turn' });
  for (let time = 0; time < 3; time++) child.kill('SIGTERM');
  // Longer than one that nobody speaks to would wait.
  await delay(1000);
  expect(said).toEqual([{ heard: 'nothing' }, { heard: 'await-turn' }]);
  await tell({ type: 'stop', isFinal: true });
  expect(await ended).toContainEqual({ isFinal: true });
});

it('whose supervisor is gone ends', async () => {
  const { child, ended } = await startRole();
  child.disconnect();
  await ended;
  expect(child.exitCode).toBe(0);
});
