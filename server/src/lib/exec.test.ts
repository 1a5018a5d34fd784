import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { OutputTooLong, run } from './exec.ts';

const env = { PATH: '/usr/bin:/bin' };
/** Nobody waits for the limit of time. */
const CALM = { env, timeoutMs: 600_000 };

describe('a program that is run to its end', () => {
  it('gives all that it says, up to the limit', async () => {
    const said = await run(['printf', 'é\\nok'], { ...CALM, maxOutputBytes: 5 });
    expect(said).toMatchObject({ exitCode: 0, stdout: 'é\nok', stderr: '' });
    await expect(run(['printf', 'é\\nok'], { ...CALM, maxOutputBytes: 4 })).rejects.toThrow(
      'printf wrote more than 4 bytes, and was ended',
    );
  });

  it('is ended when it writes without end, whether a limit is named or not', async () => {
    await expect(run(['yes'], { ...CALM, maxOutputBytes: 100_000 })).rejects.toThrow(OutputTooLong);
    await expect(run(['/usr/bin/yes'], CALM)).rejects.toThrow('yes wrote more than 16777216 bytes, and was ended');
  });

  it('is really gone then, and so is the pipe for whatever it has started', async () => {
    const mark = `lilac-${process.pid}-${Math.random().toString(36).slice(2)}`;
    const script = `yes ${mark} & exec yes ${mark}`;
    await expect(run(['sh', '-c', script], { ...CALM, maxOutputBytes: 100_000 })).rejects.toThrow(OutputTooLong);
    await eventually('both have ended', () => !commands().some((command) => command.includes(mark)));
  });

  it('is not waited for past its time, whatever it has started holds the pipe open', async () => {
    const script = 'sleep 60 & echo begun; exec sleep 60';
    const began = performance.now();
    const { signal, exitCode } = await run(['sh', '-c', script], { env, timeoutMs: 500 });
    expect({ signal, exitCode }).toEqual({ signal: 'SIGKILL', exitCode: null });
    expect(performance.now() - began).toBeLessThan(30_000);
  });
});

function commands(): string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    } catch {
      return '';
    }
  });
}
