import { describe, expect, it } from 'vitest';
import { IgnoreRules } from './ignore-rules.ts';
import { judgeEntry, type Verdict } from './judge-entry.ts';
import { bytesToFindKey, holdsPrivateKey } from './secret-files.ts';

const judge = (path: string, rules = IgnoreRules.none) =>
  judgeEntry({ path: path.replace(/\/$/, ''), isFolder: path.endsWith('/') }, rules);

describe('what of a folder is sent', () => {
  it.each<[path: string, verdict: Verdict]>([
    ['index.html', 'wanted'],
    ['.gitignore', 'wanted'],
    ['.slugignore', 'wanted'],
    ['.npmrc', 'wanted'],
    ['web/lilac.json', 'wanted'],
    ['lilac.json', 'never'],
    ['web/node_modules/', 'never'],
    ['.venv/', 'never'],
    ['api/__pycache__/', 'never'],
    ['.lilacignore', 'never'],
    ['.env', 'secret'],
    ['web/Prod.ENV', 'secret'],
    ['.env.example', 'wanted'],
    ['.ssh/', 'secret'],
    ['.ssh', 'wanted'],
    ['.kube/config', 'secret'],
    ['infra/terraform.tfstate', 'secret'],
    ['.dev.vars', 'secret'],
    ['server.key', 'secret'],
  ])('%s: %s', (path, verdict) => expect(judge(path)).toBe(verdict));

  it('by rules at every level, the innermost first; only a .lilacignore takes a secret in, by its name', () => {
    const top = IgnoreRules.none.with('', { gitignore: '\uFEFF*.log\n.env\n', lilacignore: '!.env\n' });
    const inner = top.with('web', { gitignore: '!keep.log\n!.env.local', lilacignore: '!*' });
    expect([judge('a.log', top), judge('.env', top), judge('b.key', top)]).toEqual(['ignored', 'wanted', 'secret']);
    expect([judge('web/keep.log', inner), judge('web/.env.local', inner)]).toEqual(['wanted', 'secret']);
  });
});

describe('a private key', () => {
  const key = `-----BEGIN EC PRIVATE KEY-----\n${'A'.repeat(64)}\n`;
  const certificate = `-----BEGIN CERTIFICATE-----\n${'B'.repeat(64)}\n-----END CERTIFICATE-----\n`;

  it('is what begins with one, and in a .pem what holds one', () => {
    expect([holdsPrivateKey('deploy', `\uFEFF\n${key}`), holdsPrivateKey('notes.md', `# Keys\n${key}`)]).toEqual([
      true,
      false,
    ]);
    expect([holdsPrivateKey('a.pem', certificate + key), holdsPrivateKey('a.pem', certificate)]).toEqual([true, false]);
  });

  it('is looked for where one fits, and all of a .pem', () => {
    const sizes = [0, 49, 50, 4096, 64 * 1024, 64 * 1024 + 1];
    expect(sizes.map((size) => bytesToFindKey('deploy', size))).toEqual([0, 0, 50, 128, 128, 0]);
    expect(sizes.map((size) => bytesToFindKey('a.PEM', size))).toEqual([0, 0, 50, 4096, 64 * 1024, 0]);
  });
});
