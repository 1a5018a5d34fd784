import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const tools = {
  bench: 'scripts/bench.mjs',
  chaos: 'chaos/command.ts',
  fuzz: 'scripts/fuzz.mjs',
  soak: 'soak/command.ts',
};

describe.each(Object.entries(tools))('npm run %s -- --help', (name, program) => {
  const command = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts[name];
  const { status, stdout } = spawnSync(`${command} --help`, { shell: true, cwd: root, encoding: 'utf8' });

  it('tells how it is called, and does nothing else', () => {
    expect([status, stdout.split('\n', 1)[0]]).toEqual([0, expect.stringContaining(`npm run ${name} -- `)]);
  });

  it('tells every option that there is', () => {
    const options = optionsOf(readFileSync(join(root, program), 'utf8'));
    expect(stdout.match(/^ {2}--\w+/gm)?.map((line) => line.trim().slice(2))).toEqual(
      name === 'bench' ? ['rounds', 'profile'] : options,
    );
  });
});

it('the names of all benchmarks and fuzzers are told', () => {
  const tell = (name) => spawnSync(process.execPath, [join(root, tools[name]), '--help'], { encoding: 'utf8' }).stdout;
  const told = tell('bench');
  const benches = readdirSync(join(root, 'bench')).flatMap((file) => /^(.+)\.ts$/.exec(file)?.[1] ?? []);
  expect(benches.filter((bench) => !told.includes(bench))).toEqual([]);
  expect(tell('fuzz')).toContain('api, archives, edge, logs, objects, texts, webhooks');
});

/** As `parseArgs` is given them. */
function optionsOf(source) {
  return [...source.matchAll(/(\w+): \{ type: '(?:string|boolean)' \}/g)].map((match) => match[1]);
}
