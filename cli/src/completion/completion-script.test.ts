import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { lilac } from '../testing/lilac.ts';
import { completionScript } from './completion-script.ts';

/** What a real bash offers at the end of a line. */
function offered(...words: string[]): string[] {
  const ask = `${completionScript('bash')}
COMP_WORDS=(lilac "$@"); COMP_CWORD=$#; _lilac; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr, status } = spawnSync('bash', ['-c', ask, 'bash', ...words], { encoding: 'utf8' });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  return stdout.split('\n').filter(Boolean);
}

describe('completion in bash', () => {
  it('has the words of commands, of the operator too, one after another', () => {
    expect(offered('depl')).toEqual(['deploy', 'deployments']);
    expect(offered('keys', '')).toEqual(['list', 'create', 'revoke']);
    expect(offered('orgs', 'members', 'u')).toEqual(['update']);
    expect(offered('admin', 'owner', '')).toEqual(['create']);
  });

  it('has the flags of a command, after its arguments too, and those of all', () => {
    expect(offered('envs', 'scale', '--m')).toEqual(['--min-instances', '--max-instances']);
    expect(offered('envs', 'scale', 'env_1', '--min-i')).toEqual(['--min-instances']);
    expect(offered('apps', 'list', '--js')).toEqual(['--json']);
    expect(offered('envs', 'update', '--no-a')).toEqual(['--no-auto-deploy']);
    expect(offered('logs', '--no-f')).toEqual([]);
    expect(offered('deploy', '--no-w')).toEqual(['--no-wait']);
  });

  it('has the values of a flag or an argument where they are few', () => {
    expect(offered('keys', 'create', 'ci', '--role', '')).toEqual(['user', 'admin']);
    expect(offered('metrics', '')).toEqual(['1h', '6h', '24h', '7d']);
    expect(offered('completion', 'f')).toEqual(['fish']);
  });

  it('is not led astray by flags before the command', () => {
    expect(offered('--org', 'acme', '--json', 'keys', 'r')).toEqual(['revoke']);
  });

  it('offers no flags as the value of one', () => {
    expect(offered('envs', 'scale', '--min-instances', '--')).toEqual([]);
  });
});

describe('completion in other shells', () => {
  it.each(['zsh', 'fish'] as const)('knows every command: %s', (shell) => {
    const script = completionScript(shell);
    for (const word of ['deploy', 'whoami', 'connect-to', 'restore']) expect(script).toContain(word);
  });

  it('is printed, and no other shell is known', async () => {
    expect((await lilac('completion bash')).out).toBe(completionScript('bash'));
    expect(await lilac('completion tcsh')).toMatchObject({ exitCode: 2 });
  });
});
