import { describe, expect, it } from 'vitest';
import { growsLinearly, filled } from '../../../testing/grows-linearly.ts';
import { PlanRefused } from '../../plan.ts';
import { parseJson, parseToml, parseYaml } from './read-data.ts';

const list = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const keys = (count: number) => Array.from({ length: count }, (_, at) => `k${at}: 1\n`).join('');

const readYaml = (text: string) => parseYaml('a.yml', text);

describe('files of data', () => {
  it('may have a byte order mark, comments and trailing commas where they are JSON', () => {
    expect(parseJson('tsconfig.json', '\uFEFF{ // why\n "a": 1, }')).toEqual({ a: 1 });
  });

  it('that are broken are refused with the file, the line and what to do', () => {
    expect(() => parseJson('package.json', '{\n  "name": "a"\n  "x": 1\n}')).toThrow(
      new PlanRefused('package.json is not valid JSON (CommaExpected in line 3). Correct the file and deploy again.'),
    );
    expect(() => parseToml('Cargo.toml', 'name = ')).toThrow(/^Cargo\.toml is not valid TOML/);
    expect(() => parseYaml('_config.yml', 'a: [')).toThrow(/^_config\.yml is not valid YAML/);
  });

  it('that hold no object are refused as JSON, and count as empty where a file may be so', () => {
    expect(() => parseJson('a.json', '[1]')).toThrow('a.json must hold an object ({ … }), but holds a list.');
    expect(parseYaml('a.yml', '')).toEqual({});
  });

  it('that are nested without end are refused as broken ones are, and those that people write are not', () => {
    const deep = /nested more than 100 levels deep\)\. Correct the file and deploy again/;
    expect(parseJson('a.json', `{"a":${list(90)}}`)).toHaveProperty('a');
    for (const depth of [110, 60_000, 500_000]) {
      expect(() => parseJson('package.json', `{"a":${list(depth)}}`)).toThrow(deep);
      expect(() => parseJson('package.json', '['.repeat(depth))).toThrow(deep);
    }
    for (const depth of [110, 30_000]) expect(() => parseYaml('a.yml', `a: ${list(depth)}`)).toThrow(deep);
    for (const depth of [110, 30_000]) expect(() => parseYaml('a.yml', '- '.repeat(depth))).toThrow(deep);
    expect(parseYaml('a.yml', `a: ${list(90)}`)).toHaveProperty('a');
    expect(() => parseToml('a.toml', `a = ${list(500_000)}`)).toThrow(PlanRefused);
  });

  it('that are YAML may be long, not endless, and have each key once', () => {
    expect(Object.keys(parseYaml('a.yml', keys(8000)))).toHaveLength(8000);
    expect(() => parseYaml('a.yml', keys(50_000))).toThrow(/^a\.yml is longer than 128 KiB/);
    expect(() => parseYaml('a.yml', 'a: 1\nb: 2\na: 3')).toThrow(/^a\.yml is not valid YAML \(Map keys must be unique/);
    const bomb = Array.from({ length: 12 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(9)}]`);
    expect(() => parseYaml('a.yml', ['a0: &a0 [1]', ...bomb].join('\n'))).toThrow(PlanRefused);
  });

  it.each([
    ['YAML', parseYaml, 128 * 1024, ['- a\n', 'a: 1\n', '[,', '&a ']],
    ['TOML', parseToml, 1024 * 1024, ['a=1\n', 'a.', '[a]\n', '[[a]]\n', '"', "'", '#', '\n', 'a=[', '{']],
    ['JSON', parseJson, 1024 * 1024, ['[', '{"a":', '"a",', '//', '/*', '\n', ',', '\\', '1']],
  ] as const)('that are %s are read in time that grows as they do', async (_, parse, largest, pumps) => {
    for (const pump of pumps) {
      const work = (text: string) =>
        expect(() => {
          parse('a', text);
          throw new PlanRefused('or it is read');
        }).toThrow(PlanRefused);
      await expect(growsLinearly({ largest, make: (length) => filled(length, pump), work })).resolves.toBe(true);
    }
  });

  it('that are YAML of very many keys are read in time that grows as they do', async () => {
    const largest = 64 * 1024;
    await expect(growsLinearly({ largest, make: (length) => keys(length / 10), work: readYaml })).resolves.toBe(true);
  });
});
