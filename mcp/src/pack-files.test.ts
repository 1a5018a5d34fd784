import { describe, expect, it } from 'vitest';
import { packFiles } from './pack-files.ts';

const file = (path: string, content = 'x') => ({ path, content, encoding: 'utf8' as const });

describe('packing files', () => {
  it('makes an archive of texts and of bytes', async () => {
    const bytes = { path: 'a.bin', content: 'AAEC/w==', encoding: 'base64' as const };
    const archive = Buffer.from(await (await packFiles([file('src/index.html'), bytes])).arrayBuffer());
    expect(archive.subarray(0, 2).toString()).toBe('PK');
    expect(archive.includes('src/index.html')).toBe(true);
  });

  it.each(['/etc/passwd', '../up', 'a/../b', 'a//b', 'C:\\x', './a', 'a/'])('refuses the path %s', async (path) => {
    await expect(packFiles([file(path)])).rejects.toThrow(/must be relative/);
  });

  it('refuses two files at one path, what is no base64, and too much', async () => {
    await expect(packFiles([file('a'), file('a')])).rejects.toThrow(/two files/);
    await expect(packFiles([{ path: 'a', content: 'not base64!', encoding: 'base64' }])).rejects.toThrow(/not base64/);
    await expect(packFiles([file('a', 'x'.repeat(600_000))])).rejects.toThrow(/lilac deploy/);
  });
});
