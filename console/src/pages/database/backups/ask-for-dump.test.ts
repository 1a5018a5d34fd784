import { ApiError } from '@lilac/contract/client';
import { describe, expect, it, vi } from 'vitest';
import { askForDump, type Dump } from './ask-for-dump.ts';

const dump = { downloadUrl: '/d', expiresAt: '2026-01-01T00:00:00Z', size: 1 };
const refusal = (code: string) =>
  new ApiError({ status: 503, code, message: '', errorId: null, retryAfterSeconds: null });

describe('a dump', () => {
  it('is waited for over several calls', async () => {
    const ask = vi.fn<() => Promise<Dump>>().mockRejectedValueOnce(refusal('SV002')).mockResolvedValueOnce(dump);
    expect(await askForDump(ask)).toBe(dump);
    expect(ask).toHaveBeenCalledTimes(2);
  });

  it('that is refused is not asked for again', async () => {
    const ask = vi.fn<() => Promise<Dump>>().mockRejectedValue(refusal('CF001'));
    await expect(askForDump(ask)).rejects.toMatchObject({ code: 'CF001' });
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it('is not waited for without end', async () => {
    const ask = vi.fn<() => Promise<Dump>>().mockRejectedValue(refusal('SV002'));
    await expect(askForDump(ask)).rejects.toMatchObject({ code: 'SV002' });
  });
});
