import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createLog } from './log.ts';
import { traced, traceOfJob, traceOfRequest, untraced } from './trace.ts';

function capture() {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);
  return { lines, log: createLog({ level: 'info', role: 'worker', destination: { write } }) };
}

describe('a line of the log', () => {
  it('has its role, time and level, and neither request nor job where there is none', () => {
    const { log, lines } = capture();
    log.info({ port: 7 }, 'hello');
    expect(lines).toEqual([
      { level: 'info', time: expect.stringMatching(/^\d{4}-.*Z$/) as string, role: 'worker', port: 7, msg: 'hello' },
    ]);
  });

  it('has the request and the job, also of children and after waits', async () => {
    const { log, lines } = capture();
    const child = log.child({ kind: 'deployments.build' });
    await traced(traceOfJob('12', 'req_1'), async () => {
      await delay(1);
      child.warn('within');
    });
    child.warn('without');
    expect(lines[0]).toMatchObject({ jobId: '12', requestId: 'req_1', kind: 'deployments.build' });
    expect(lines[1]).not.toHaveProperty('jobId');
  });

  it('is not of a request any more once that is over, nor of one that it was kept apart from', async () => {
    const { log, lines } = capture();
    const trace = traceOfRequest('req_1');
    const later = traced(trace, async () => {
      untraced(() => log.info('apart'));
      await delay(1);
      log.info('late');
    });
    trace.isOver = true;
    await later;
    for (const line of lines) expect(line).not.toHaveProperty('requestId');
    expect(lines).toHaveLength(2);
  });

  it('tells of an error who, why, where and its causes, and not what rows it had', () => {
    const { log, lines } = capture();
    const cause = Object.assign(new Error('duplicate'), { code: '23505', detail: 'Key (email)=(ada@example.org)' });
    log.error({ err: new Error('could not', { cause }) }, 'oh');
    expect(lines[0]).toMatchObject({
      err: { type: 'Error', message: 'could not', cause: { message: 'duplicate', code: '23505' } },
    });
    expect(JSON.stringify(lines)).not.toContain('ada@example.org');
    expect(JSON.stringify(lines)).toContain('log.test.ts');
  });

  it('has no secret, whatever it is given and wherever that is', () => {
    const { log, lines } = capture();
    const err = new Error('cannot reach postgresql://ada:hunter2@db/lilac');
    const headers = { authorization: 'Bearer hunter2', cookie: 'lilac_refresh=hunter2' };
    log
      .child({ token: 'hunter2' })
      .error({ err, request: { headers, body: { password: 'hunter2' } } }, 'password=hunter2');
    log.error(err);
    expect(lines).toHaveLength(2);
    expect(JSON.stringify(lines)).not.toContain('hunter2');
  });
});
