import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createOutput } from './output.ts';

function capture({ isTTY = false, level = 'info' as const } = {}) {
  const written: string[] = [];
  const output = createOutput({ isTTY, hasColors: () => false, write: (text: string) => written.push(text) }, level);
  return { output, written };
}

async function follow(output: ReturnType<typeof capture>['output'], ...chunks: string[]): Promise<void> {
  const stream = new PassThrough();
  output.follow('api', stream);
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  await turn();
  await turn();
}

const record = { level: 'info', time: '2026-01-02T03:04:05.000Z', role: 'api', msg: 'hello', port: 7 };

describe('on a terminal', () => {
  it('a record is one short line', async () => {
    const { output, written } = capture({ isTTY: true });
    await follow(output, `${JSON.stringify(record)}\n`);
    expect(written).toHaveLength(1);
    expect(written[0]).toMatch(/^\d\d:\d\d:\d\d api {4}hello port=7\n$/);
  });

  it('nobody moves the cursor from a message', async () => {
    const { output, written } = capture({ isTTY: true });
    await follow(output, `${JSON.stringify({ ...record, msg: 'a\u001b[2Jb\rc' })}\n`);
    expect(written[0]).toContain('abc');
  });

  it('the banner is text', () => {
    const { output, written } = capture({ isTTY: true });
    output.announce(() => 'banner', 'ready', {});
    expect(written).toEqual(['banner']);
  });
});

describe('elsewhere', () => {
  it('a record stays one JSON line, however it arrived', async () => {
    const { output, written } = capture();
    const line = JSON.stringify(record);
    await follow(output, line.slice(0, 10), `${line.slice(10)}\n${line}`);
    expect(written.map((text) => JSON.parse(text) as unknown)).toEqual([record, record]);
  });

  it('a crash becomes a record too', async () => {
    const { output, written } = capture();
    await follow(output, 'TypeError: x is not a function\n');
    expect(JSON.parse(written[0] ?? '')).toMatchObject({
      level: 'error',
      role: 'api',
      msg: 'TypeError: x is not a function',
    });
  });

  it('what a crash says of secrets is struck out', async () => {
    const { output, written } = capture();
    await follow(output, 'Error: postgresql://ada:hunter2@db/lilac refused\n');
    expect(written[0]).toContain('refused');
    expect(written[0]).not.toContain('hunter2');
  });

  it('the banner is a record', () => {
    const { output, written } = capture();
    output.announce(() => 'banner', 'ready', { console: 'http://localhost' });
    expect(JSON.parse(written[0] ?? '')).toMatchObject({ msg: 'ready', console: 'http://localhost' });
  });
});

it('says nothing that is less severe than wanted', () => {
  const { output, written } = capture();
  output.say('debug', 'quiet');
  output.say('warn', 'loud');
  expect(written).toHaveLength(1);
});
