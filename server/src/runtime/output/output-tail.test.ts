import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../../lib/log.ts';
import { emptyFile } from './free-space.ts';
import { InstanceOutputs } from './instance-outputs.ts';

let outputs: InstanceOutputs;
let folder: string;
beforeEach(() => {
  const root = mkdtempSync(join(tmpdir(), 'lilac-outputs-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  outputs = new InstanceOutputs({ root, log: silentLog });
  folder = outputs.make({
    instanceId: 'ins_1',
    organisationId: 'org_1',
    environmentId: 'env_1',
    deploymentId: 'dep_1',
  });
});

const say = (stream: 'stdout' | 'stderr', ...lines: string[]) =>
  appendFileSync(join(folder, stream), lines.map((line) => `${line}\n`).join(''));
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => String(from + index));

describe('the last lines', () => {
  it('are of both streams, and of errors at least half', () => {
    say('stdout', ...numbers(1, 10));
    say('stderr', ...numbers(21, 30));
    expect(outputs.tail('ins_1', 4)).toEqual(['9', '10', '29', '30']);
    expect(outputs.tail('ins_1', 100)).toEqual([...numbers(1, 10), ...numbers(21, 30)]);
  });

  it('are whole lines, or what there is of the last one', () => {
    appendFileSync(join(folder, 'stdout'), `${'x'.repeat(300_000)}\nshort\nunfinished`);
    expect(outputs.tail('ins_1', 2)).toEqual(['short', 'unfinished']);
    expect(outputs.tail('ins_unknown', 2)).toEqual([]);
  });

  it('are read across the emptying of a file', () => {
    say('stdout', ...numbers(1, 100));
    emptyFile(join(folder, 'stdout'), { keptBytes: 100, most: Infinity });
    say('stdout', '101', '102');
    expect(outputs.tail('ins_1', 5)).toEqual(['98', '99', '100', '101', '102']);
  });

  it('have nothing of a hole', () => {
    writeFileSync(join(folder, 'stdout'), 'one\n');
    truncateSync(join(folder, 'stdout'), 100_000);
    say('stdout', 'two');
    expect(outputs.tail('ins_1', 5)).toEqual(['one', 'two']);
  });
});
