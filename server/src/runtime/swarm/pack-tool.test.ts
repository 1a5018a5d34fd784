import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createHash } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { createLocalObjectStore } from '../../objects/local/local-object-store.ts';
import { openSeal, packTool } from './pack-tool.ts';

it('of a packed tool only a hash is believed that the platform itself has sealed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-tool-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const from = join(folder, 'tool');
  mkdirSync(from);
  writeFileSync(join(from, 'program'), 'true');
  const objects = createLocalObjectStore({
    root: join(folder, 'objects'),
    signingKey: Buffer.alloc(32),
    publicUrl: new URL('http://localhost'),
  });
  const sealKey = Buffer.alloc(32, 1);
  const forged = 'f'.repeat(64);
  await objects.put('tools/forged.seal', Buffer.from(`${forged} ${forged}`));
  const packed = await packTool('tools/forged', from, { objects, sealKey });
  expect(packed.hash).toBe(
    createHash('sha256')
      .update(await buffer(objects.read(packed.key)))
      .digest('hex'),
  );
  const written = (await buffer(objects.read('tools/forged.seal'))).toString();
  expect(openSeal('tools/forged', written, sealKey)).toBe(packed.hash);
  expect(openSeal('tools/another', written, sealKey)).toBeNull();
  expect(openSeal('tools/forged', written, Buffer.alloc(32, 2))).toBeNull();
});
