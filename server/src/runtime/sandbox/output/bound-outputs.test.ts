import { appendFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pathsOf, readConfig } from '../../../config.ts';
import { silentLog } from '../../../lib/log.ts';
import { eventually } from '../../../testing/eventually.ts';
import { boundOutputs } from './bound-outputs.ts';
import { InstanceOutputs } from './instance-outputs.ts';

it('output stays in its bounds while no runtime is open, and the next one knows what is gone', async () => {
  const home = mkdtempSync(join(tmpdir(), 'lilac-bound-'));
  try {
    const config = readConfig({ LILAC_HOME: home });
    const open = () => new InstanceOutputs({ root: pathsOf(config).outputs, log: silentLog });
    const labels = { instanceId: 'ins_1', organisationId: 'org_1', environmentId: 'env_1', deploymentId: 'dep_1' };
    const path = join(open().make(labels), 'stdout');
    using _bounds = boundOutputs({ config, log: silentLog });
    const mebibyte = Buffer.alloc(1024 ** 2, 'x');
    for (let count = 0; count < 80; count++) appendFileSync(path, mebibyte);
    await eventually('the oldest is gone', () => statSync(path).blocks * 512 < 64 * 1024 ** 2);
    const { lostBytes, stdout } = open().read('ins_1', { stdout: 0, stderr: 0 }, 1024);
    expect(lostBytes).toBeGreaterThan(16 * 1024 ** 2);
    expect(stdout.toString()).toBe('x'.repeat(1024));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
