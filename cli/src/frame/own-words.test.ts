import { describe, expect, it } from 'vitest';
import { commands } from './command.ts';
import { inOwnWords } from './own-words.ts';

const say = (words: string, message: string) =>
  inOwnWords(
    message,
    commands.find((command) => command.words.join(' ') === words)!,
  );

describe('what the API says, in the words of this program', () => {
  it.each([
    [
      'db query',
      'Run it with readOnly: false to let it change something.',
      'Run it with --no-read-only to let it change something.',
    ],
    [
      'db delete',
      'Disconnect it from them first (databases/disconnect), or delete it with force: true.',
      'Disconnect it from them first (lilac db disconnect), or delete it with --force.',
    ],
    [
      'db rotate',
      'Once the status is healthy again, databases/connection-string has the new one.',
      'Once the status is healthy again, lilac db url has the new one.',
    ],
    ['db update', 'storageGb is 10 and can only grow; 5 is less.', '--storage-gb is 10 and can only grow; 5 is less.'],
    [
      'db update',
      'Say what to change: name, tier, storageGb or authorizedNetworks.',
      'Say what to change: --name, --tier, --storage-gb or --authorized-networks.',
    ],
    [
      'apps update',
      'autoDeployBranches needs autoDeployOnPush: true (environments/update with autoDeploy: false).',
      '--auto-deploy-branches needs --auto-deploy-on-push (lilac envs update … --no-auto-deploy).',
    ],
    ['envs scale', 'minInstances must be at most 3.', '--min-instances must be at most 3.'],
    ['envs scale', '`minInstances` above 0 keeps instances warm.', '--min-instances above 0 keeps instances warm.'],
    ['envs scale', 'environmentId must be a string.', '<environment-id> must be a string.'],
    ['db query', 'Reads only, unless `readOnly` is false.', 'Reads only, unless --no-read-only is given.'],
    ['apps create', 'see config/containerplatform/compatible', 'see lilac config cpu'],
    ['keys list', 'Change the plan (POST /api/organisations/plan).', 'Change the plan (lilac orgs plan).'],
  ] as const)('%s: %s', (words, message, expected) => {
    expect(say(words, message)).toBe(expected);
  });

  it('has the flags of the command that was given, not of another that calls the same endpoint', () => {
    expect(say('scale', 'minInstances must be at most 3.')).toBe('--min must be at most 3.');
    expect(say('env push', 'environmentVars must be short.')).toBe('environmentVars must be short.');
  });

  it('leaves words alone that are none of ours, and what is in quotes', () => {
    const message =
      'column "readOnly" does not exist, nor userId; see databases/nowhere, a.test/config/platform, force: 3, paid: true.';
    expect(say('db query', message)).toBe(message);
    expect(say('envs get', 'readOnly: false')).toBe('readOnly: false');
  });
});
