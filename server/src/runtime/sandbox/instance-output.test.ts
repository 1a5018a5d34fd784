import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { start } from '../../lib/exec.ts';
import { findProgram } from '../../lib/find-program.ts';
import { rotateOutput, tailOutput } from './instance-output.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lilac-output-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});
const say = (stream: 'output' | 'errors', ...lines: string[]) =>
  appendFileSync(join(folder, stream), lines.map((line) => `${line}\n`).join(''));
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => String(from + index));

describe('the last lines', () => {
  it('are read across a rotation', () => {
    say('output', ...numbers(1, 100));
    rotateOutput(folder, 50);
    expect(statSync(join(folder, 'output')).size).toBe(0);
    say('output', '101', '102');
    expect(tailOutput(folder, 5)).toEqual(['98', '99', '100', '101', '102']);
  });

  it('are of both streams, and of errors at least half', () => {
    say('output', ...numbers(1, 10));
    say('errors', ...numbers(21, 30));
    expect(tailOutput(folder, 4)).toEqual(['9', '10', '29', '30']);
    expect(tailOutput(folder, 100)).toEqual([...numbers(1, 10), ...numbers(21, 30)]);
  });

  it('are whole lines, or what there is of the last one', () => {
    appendFileSync(join(folder, 'output'), `${'x'.repeat(300_000)}\nshort\nunfinished`);
    expect(tailOutput(folder, 2)).toEqual(['short', 'unfinished']);
    expect(tailOutput(join(folder, 'nowhere'), 2)).toEqual([]);
  });
});

describe('rotation', () => {
  it('leaves a stream alone that is small enough', () => {
    say('output', 'one');
    rotateOutput(folder, 50);
    expect(readFileSync(join(folder, 'output'), 'utf8')).toBe('one\n');
  });

  it('keeps one old file, and of it no more than was asked for', () => {
    for (let round = 0; round < 3; round++) {
      say('errors', ...numbers(1, 1000));
      rotateOutput(folder, 100);
    }
    expect(statSync(join(folder, 'errors.old')).size).toBe(100);
    expect(readFileSync(join(folder, 'errors.old'), 'utf8').trimEnd().split('\n').at(-1)).toBe('1000');
  });

  it.runIf(findProgram(['perl'], '/usr/bin'))('does not wait for whoever holds a lease, but comes again', async () => {
    say('output', ...numbers(1, 100));
    const lease = '$SIG{IO} = "IGNORE"; open F, "+<", shift; fcntl(F, 1024, 1) or die; syswrite STDOUT, "held"; sleep';
    const holder = start(['perl', '-e', lease, join(folder, 'output')], { env: { PATH: '/usr/bin' } });
    await once(holder.stdout!, 'data');
    rotateOutput(folder, 50);
    expect(statSync(join(folder, 'output')).size).toBeGreaterThan(50);
    expect(tailOutput(folder, 1)).toEqual([]);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    rotateOutput(folder, 50);
    expect(tailOutput(folder, 1)).toEqual(['100']);
    expect(statSync(join(folder, 'output')).size).toBe(0);
  });
});
