import { describe, expect, it } from 'vitest';
import { start } from '../lib/exec.ts';
import { eventually } from '../testing/eventually.ts';
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

  it('that hangs is ended, and started again', async () => {
    const { role, starts, said } = await startReady('for (;;);');
    await eventually('it is started again', () => starts() > 1);
    expect(said()).toMatch(/worker hangs; it is ended[^]*worker ended \(SIGKILL\); starting it again/);
    await role.stop(0);
  });

  it('that says now and then that it lives is left alone', async () => {
    let said = 0;
    const { role, starts } = await startReady("setInterval(() => process.send({ type: 'alive' }), 10)");
    role.onMessage(() => said++);
    await eventually('it was looked at often enough', () => said > 30);
    expect(starts()).toBe(1);
    await role.stop(0);
  });
});

/** A role that says that it is ready, and then does what is given. */
async function startReady(program: string) {
  let [said, launched] = ['', 0];
  const role = new RoleProcess({
    role: 'worker',
    output: createOutput({ write: (text) => (said += text) }, 'info'),
    onChange: () => {},
    lookEveryMs: 50,
    launch: () => {
      launched++;
      const whole = `process.send({ type: 'ready' }, () => { ${program} })`;
      return start([process.execPath, '-e', whole], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env: {} });
    },
  });
  await role.firstReady;
  return { role, said: () => said, starts: () => launched };
}
