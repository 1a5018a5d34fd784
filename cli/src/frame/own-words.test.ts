import { describe, expect, it } from 'vitest';
import { inOwnWords } from './own-words.ts';

describe('what is said of databases and pushes, in the words of this program', () => {
  it.each([
    [
      'databases.explorer.query',
      'Run it with readOnly: false to let it change something.',
      'Run it with --no-read-only to let it change something.',
    ],
    [
      'databases.delete',
      'Disconnect it from them first (databases/disconnect), or delete it with force: true.',
      'Disconnect it from them first (lilac db disconnect), or delete it with --force.',
    ],
    [
      'databases.rotate-password',
      'Once the status is healthy again, databases/connection-string has the new one.',
      'Once the status is healthy again, lilac db url has the new one.',
    ],
    [
      'databases.update',
      'storageGb is 10 and can only grow; 5 is less.',
      '--storage-gb is 10 and can only grow; 5 is less.',
    ],
    [
      'databases.update',
      'Say what to change: name, tier, storageGb or authorizedNetworks.',
      'Say what to change: --name, --tier, --storage-gb or --authorized-networks.',
    ],
    [
      'applications.update',
      'autoDeployBranches needs autoDeployOnPush: true (environments/update with autoDeploy: false).',
      '--auto-deploy-branches needs --auto-deploy-on-push (lilac envs update … --no-auto-deploy).',
    ],
  ] as const)('%s: %s', (endpoint, message, expected) => {
    expect(inOwnWords(message, endpoint)).toBe(expected);
  });

  it('leaves words alone that are none of ours, and other endpoints', () => {
    const message = 'column "userId" does not exist; see databases/nowhere, force: 3, paid: true.';
    expect(inOwnWords(message, 'databases.explorer.query')).toBe(message);
    expect(inOwnWords('readOnly: false', 'environments.get')).toBe('readOnly: false');
    expect(inOwnWords('readOnly: false', undefined)).toBe('readOnly: false');
  });
});
