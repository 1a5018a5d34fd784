import type { Deployment, FollowDeploymentOptions } from '@lilac/sdk';
import { describe, expect, it } from 'vitest';
import { LiveLine } from '../terminal/live-line.ts';
import { followDeployment } from './follow-deployment.ts';

const log = [
  '==> Building',
  '$ npm run build',
  '\u001b[31mred\u001b[0m \u001b]0;title\u0007done',
  '==> Built in 1.25 s',
  '==> Live at http://x',
];

const waitForDeployment = async (_: string, { onLog, onStatus }: FollowDeploymentOptions = {}) => {
  onStatus?.({ status: 'building', deployment_stage: 'building', is_live: false, at: '2026-01-01T00:00:00Z' });
  for (const [index, each] of log.entries()) onLog?.(each, index);
  return { status: 'healthy' } as Deployment;
};

/** What stands on a terminal, or in a file, after all was told. */
async function told(isLive: boolean): Promise<string> {
  let text = '';
  const write = (more: string) => (text += more);
  using line = new LiveLine({ write, width: 80, hasColours: false, hasUnicode: true, isLive });
  await followDeployment({ waitForDeployment }, line, { deploymentId: 'dep_1', organisationId: undefined });
  return text;
}

describe('followDeployment', () => {
  it('writes the log as it is where nobody looks, without what a terminal would obey', async () => {
    expect(await told(false)).toBe(
      '==> Building\n$ npm run build\nred done\n==> Built in 1.25 s\n==> Live at http://x\n',
    );
  });

  it('tells stages apart from what tools say, above one line that is written over and gone at the end', async () => {
    const text = await told(true);
    const lines = text.split('\n').map((line) => line.slice(line.lastIndexOf('\r') + 1).replace('\u001b[K', ''));
    expect(lines.slice(0, -1)).toEqual(['▸ Building', '  $ npm run build', '  red done', '✓ Built in 1.25 s']);
    expect(text).toMatch(/⠋ Building (?:0\.0|<0\.1) s/);
    expect(text.endsWith('\r\u001b[K\u001b[?25h')).toBe(true);
  });
});
