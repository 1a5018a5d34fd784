import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Docker from 'dockerode';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { HeldInstance } from '../held/held-instance.ts';
import { readStatus } from '../held/instance-exit.ts';
import { noteEnd } from './container-ends.ts';

interface State {
  Running: boolean;
  ExitCode: number;
  OOMKilled: boolean;
}

const killed: State = { Running: false, ExitCode: 137, OOMKilled: false };
const outOfMemory: State = { ...killed, OOMKilled: true };

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'lilac-ends-'))));
afterEach(() => rmSync(folder, { recursive: true }));

it('a container that was killed, by us or by the operator, has not run out of memory', async () => {
  expect(await endOf([killed])).toMatchObject({ exitCode: 137, isOutOfMemory: false });
});

it('a container has run out of memory where the engine says so', async () => {
  expect(await endOf([outOfMemory])).toMatchObject({ exitCode: 137, isOutOfMemory: true });
});

it('the engine may say so a moment after it has told of the end', async () => {
  expect(await endOf([{ ...killed, Running: true }, killed, outOfMemory])).toMatchObject({ isOutOfMemory: true });
});

/** How the end is written down, where the engine answers so each time it is asked; the last answer stays. */
async function endOf(answers: State[]) {
  const inspect = () => Promise.resolve({ State: answers.length > 1 ? answers.shift()! : answers[0]! });
  const engine = { getContainer: () => ({ inspect }) } as unknown as Docker;
  const record = { id: 'ins_1' } as HeldInstance['record'];
  await noteEnd(engine, { record, folder });
  return readStatus(folder);
}
