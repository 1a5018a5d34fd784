import { describe, expect, it } from 'vitest';
import { start } from '../lib/exec.ts';
import { createOutput } from './output.ts';
import { RoleProcess } from './role-process.ts';

/** A role that ends by itself at once, and how often it was started. */
function startShortLived() {
  let said = '';
  let launched = 0;
  const ended = Promise.withResolvers<void>();
  const role = new RoleProcess({
    role: 'api',
    output: createOutput({ write: (text) => (said += text) }, 'info'),
    onChange: () => {},
    launch: () => {
      launched++;
      const child = start([process.execPath, '-e', ''], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env: {} });
      child.once('close', () => ended.resolve());
      return child;
    },
  });
  return { role, ended: ended.promise, said: () => said, launched: () => launched };
}

describe('a process of a role', () => {
  it('is started again when it ends', async () => {
    const { role, ended, said } = startShortLived();
    await ended;
    expect(said()).toContain('api ended (exit code 0); starting it again');
    await role.stop(0);
  });

  it('may end before its turn when everything stops, and nothing is said of it', async () => {
    const { role, ended, said, launched } = startShortLived();
    role.expectEnd();
    await ended;
    await role.stop(0);
    expect(said()).toBe('');
    expect(launched()).toBe(1);
  });
});
