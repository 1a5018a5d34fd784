import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands } from './frame/command.ts';
import { version } from './frame/version.ts';
import { answerQuickly } from './quick-answer.ts';
import { lilac } from './testing/lilac.ts';

const root = join(import.meta.dirname, '..', '..');
const launcher = join(root, 'cli', 'bin', 'lilac.mjs');
/** Tells every module of a file as it is loaded. */
const tellsModules = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({ load(url, context, next) {
    if (url.startsWith('file:')) process.stderr.write(url + '\\n');
    return next(url, context);
  } });
`)}`;

function loadedBy(word: string) {
  const { stdout, stderr } = spawnSync(process.execPath, ['--import', tellsModules, launcher, word], {
    encoding: 'utf8',
  });
  const modules = stderr.split('\n').filter((line) => line.startsWith('file:'));
  return { stdout, modules: modules.map((url) => url.slice(`file://${root}/`.length)) };
}

describe('what is answered at once', () => {
  it('--version by the launcher alone', () => {
    expect(loadedBy('--version')).toEqual({ stdout: `${version()}\n`, modules: ['cli/bin/lilac.mjs'] });
  });

  it('--help without the contract, and without what commands need', () => {
    const { stdout, modules } = loadedBy('--help');
    expect(stdout).toContain('Usage: lilac <command>');
    expect(modules).toContain('cli/src/quick-answer.ts');
    expect(modules.filter((path) => !path.startsWith('cli/'))).toEqual([]);
    expect(modules.length).toBeLessThan(12);
  });

  it('is what would be answered otherwise', async () => {
    for (const argv of [[], ['--help'], ['-h'], ['--version'], ['-v']]) {
      expect(answerQuickly(argv, 100)).toBe((await lilac(argv)).out);
    }
    expect(answerQuickly(['apps', '--help'], 100)).toBeNull();
    expect(commands.length).toBeGreaterThan(100);
  });
});
