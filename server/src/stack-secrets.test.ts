import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { run } from './lib/exec.ts';

/** The commands of the document are run as they stand there, twice, by a shell that has a stand-in for Docker. */
const root = join(import.meta.dirname, '../..');
const document = readFileSync(join(root, 'docs/more-than-one-machine.md'), 'utf8');
const recipes = [...document.matchAll(/^( *)```sh\n([\s\S]*?)^\1```/gm)].map((match) => match[2]!);
const recipeWith = (words: string) => recipes.find((recipe) => recipe.includes(words))!;

/** Like Docker, it takes no second secret of one name. */
const DOCKER = `#!/bin/sh
at="$SECRETS/$3"
case "$2" in
  inspect) test -e "$at" ;;
  create) test ! -e "$at" && cat "$4" > "$at" ;;
  *) exit 2 ;;
esac
`;
const RESTORE = `#!/bin/sh
mkdir -p "$LILAC_HOME/secrets" && echo "keys of $LILAC_DATABASE_URL" > "$LILAC_HOME/secrets/keyring.json"
`;
/** Time goes on between two who follow it. */
const DATE = '#!/bin/sh\nls "$SECRETS" | wc -l\n';

function openBench() {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-secrets-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [programs, secrets, settings] = ['programs', 'secrets', 'lilac.env'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const each of [programs, secrets]) mkdirSync(each);
  for (const [name, text] of Object.entries({ docker: DOCKER, npx: RESTORE, date: DATE })) {
    writeFileSync(join(programs, name), text);
    chmodSync(join(programs, name), 0o755);
  }
  writeFileSync(settings, 'LILAC_IMAGE=lilac:test\n');
  const path = [programs, dirname(process.execPath), '/usr/bin', '/bin'].join(':');
  return {
    folder,
    settings,
    secrets: () => readdirSync(secrets).toSorted(),
    secret: (name: string) => readFileSync(join(secrets, name), 'utf8'),
    async follow(recipe: string) {
      const script = recipe
        .replaceAll('/root', folder)
        .replaceAll('deploy/swarm/lilac.env', settings)
        .replaceAll('<file>', 'lilac.backup');
      const done = await run(['/bin/sh', '-ec', script], { cwd: root, env: { PATH: path, SECRETS: secrets } });
      expect(done).toMatchObject({ exitCode: 0, stderr: '' });
    },
  };
}

it('secrets of a stack are made once, by whoever follows the document as often as he likes', async () => {
  const bench = openBench();
  mkdirSync(join(bench.folder, 'lilac'));
  writeFileSync(join(bench.folder, 'lilac', 's3'), 'aws_access_key_id = a');
  const recipe = recipeWith('make-keyring.mjs');
  await bench.follow(recipe);
  const keys = bench.secret('lilac_keyring');
  expect(JSON.parse(keys)).toHaveProperty('keys');
  await bench.follow(recipe);
  expect(bench.secrets()).toEqual(['lilac_database_url', 'lilac_keyring', 'lilac_s3']);
  expect(bench.secret('lilac_keyring')).toBe(keys);
  expect(bench.secret('lilac_database_url')).toMatch(/^postgresql:\/\/\S+$/);
});

it('every restore of a stack makes a secret of its own, which the settings name', async () => {
  const bench = openBench();
  const recipe = recipeWith('lilac restore');
  await bench.follow(recipe);
  await bench.follow(recipe);
  expect(bench.secrets()).toHaveLength(2);
  const named = [...readFileSync(bench.settings, 'utf8').matchAll(/^LILAC_KEYRING_SECRET=(.+)$/gm)];
  expect(named.map((match) => match[1]!).toSorted()).toEqual(bench.secrets());
});
