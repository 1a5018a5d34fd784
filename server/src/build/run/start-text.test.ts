import { describe, expect, it } from 'vitest';
import { growsLinearly, filled } from '../../testing/grows-linearly.ts';
import { resolveScript, startText } from './start-text.ts';

const node = { rootDirectory: '', workspaceDirectory: '', language: 'node', hasPython: false } as const;
const started = (command: string) => startText(command, node).replace('PATH="/home/app/node_modules/.bin:$PATH"; ', '');

describe('a script of package.json', () => {
  const scripts = {
    start: 'npm run serve',
    serve: 'node server.js',
    loop: 'pnpm loop',
    'pre-cooked': 'x',
    posthook: 'y',
    hook: 'z',
  };

  it('is run without its package manager, however it is called and wherever it leads', () => {
    expect(resolveScript('npm run start', scripts)).toBe('node server.js');
    expect(resolveScript('npm start', scripts)).toBe('node server.js');
    expect(resolveScript('yarn serve', scripts)).toBe('node server.js');
    expect(resolveScript('bun run serve', scripts)).toBe('node server.js');
  });

  it('is left to it where it does more: hooks, options, variables of its own, loops', () => {
    expect(resolveScript('npm run hook', scripts)).toBe('npm run hook');
    expect(resolveScript('npm run start -- --port 1', scripts)).toBe('npm run start -- --port 1');
    expect(resolveScript('npm run loop', scripts)).toBe('pnpm loop');
    expect(resolveScript('npm run v', { v: 'node . $npm_package_version' })).toBe('npm run v');
    expect(resolveScript('npm run nothing', scripts)).toBe('npm run nothing');
    expect(resolveScript('node npm', scripts)).toBe('node npm');
  });
});

describe('the text that starts an instance', () => {
  it('finds the programs of the project before all others', () => {
    const place = { rootDirectory: 'apps/web', workspaceDirectory: '', language: 'node', hasPython: false } as const;
    expect(startText('next start', place)).toBe(
      'PATH="/home/app/apps/web/node_modules/.bin:/home/app/node_modules/.bin:$PATH"; exec next start',
    );
    expect(startText('x', { ...node, language: 'python', hasPython: true })).toContain('PATH="/home/app/.venv/bin:');
  });

  it('lets a single program take the place of the shell, with its variables', () => {
    expect(started('node server.js')).toBe('exec node server.js');
    expect(started('gunicorn --bind 0.0.0.0:$PORT app:app')).toBe('exec gunicorn --bind 0.0.0.0:$PORT app:app');
    expect(started('NODE_ENV=production PORT=$PORT node .')).toBe('exec env NODE_ENV=production PORT=$PORT node .');
    expect(started(`A='b c' ./x`)).toBe(`exec env A='b c' ./x`);
  });

  it.each([
    'a && b',
    'a; b',
    'cd web && x',
    'exec node x',
    'java -jar $(ls *.jar)',
    'node x > log',
    'a | b',
    'A=$(b) c',
    '. ./env',
    'if a',
    'FOO=bar',
  ])('leaves `%s` to the shell', (command) => {
    expect(started(command)).toBe(command);
  });

  it.each([
    ['$aa', 'A='],
    ['A=$a ', ''],
    ["'", 'A='],
    ['A="', ''],
    [' ', 'npm'],
  ])('is understood in time that grows as it does: of %j behind %j', async (pump, before) => {
    await expect(
      growsLinearly({ largest: 2 ** 20, make: (length) => filled(length, pump, { before }), work: started }),
    ).resolves.toBe(true);
  });
});
