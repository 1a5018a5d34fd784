import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../lib/exec.ts';
import { NOBODY_UID, userOptions } from '../../store/store-user.ts';
import { findPrograms } from './programs.ts';

const { programs } = await findPrograms();

describe.runIf(programs)('MariaDB', () => {
  it('does all the same where the platform is a plain user', async () => {
    const argv = [process.execPath, join(import.meta.dirname, 'testing', 'plain-user.ts')] as const;
    const { stdout, stderr } = await run(argv, {
      env: { PATH: '/usr/bin:/bin', HOME: '/tmp' },
      ...userOptions(NOBODY_UID),
    });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({ isInStep: true, lost: 0, hasWritten: true });
  });
});
