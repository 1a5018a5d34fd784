import { describe, expect, it } from 'vitest';
import { PlanRefused } from '../../plan.ts';
import { parseJson, parseToml, parseYaml } from './read-data.ts';

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
});
