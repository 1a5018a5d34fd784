import { describe, expect, it } from 'vitest';
import { tellStages } from './tell-stages.ts';

describe('the stages in a build log', () => {
  it('begin and end with a line each, whose words belong together', () => {
    const lines: string[] = [];
    const stages = tellStages({ note: (text) => lines.push(text) });
    for (const stage of ['fetching', 'detecting', 'installing', 'building', 'packaging'] as const) stages.begin(stage);
    stages.end('1 file, 12 B,');
    stages.end();
    expect(lines.map((line) => line.replace(/ in \d+\.\d+ s$/, ' in …'))).toEqual([
      'Fetching the source',
      'Fetched in …',
      'Detecting how to build it',
      'Detected in …',
      'Installing dependencies',
      'Installed in …',
      'Building',
      'Built in …',
      'Packing the result',
      'Packed 1 file, 12 B, in …',
    ]);
  });
});
