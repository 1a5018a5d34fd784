import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { run } from '../../../lib/exec.ts';
import { bringParcel } from './bring-parcel.ts';

async function keepFiles({ awayFor }: { awayFor: number }) {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-parcel-'));
  writeFileSync(join(folder, 'hello'), 'world');
  const packed = join(folder, 'packed.tar');
  await run(['tar', '--create', `--file=${packed}`, `--directory=${folder}`, 'hello'], { env: process.env });
  const bytes = zstdCompressSync(readFileSync(packed));
  const kept = { asked: 0 };
  const server = createServer((_request, response) => {
    if (++kept.asked <= awayFor) response.destroy();
    else response.end(bytes);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close().closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const hash = createHash('sha256').update(bytes).digest('hex');
  return { kept, parcel: { at: join(folder, 'at'), url, hash, isOwn: false } };
}

it('files are fetched again for as long as there is time, where whoever keeps them is away', async () => {
  const { kept, parcel } = await keepFiles({ awayFor: 5 });
  await bringParcel(parcel, { uid: 0, withinMs: 60_000 });
  expect(readFileSync(join(parcel.at, 'hello'), 'utf8')).toBe('world');
  expect(kept.asked).toBe(6);
});

it('what is not what was built is not fetched again', async () => {
  const { kept, parcel } = await keepFiles({ awayFor: 0 });
  const wrong = { ...parcel, hash: 'f'.repeat(64) };
  await expect(bringParcel(wrong, { uid: 0, withinMs: 60_000 })).rejects.toThrow('not what was built');
  expect(kept.asked).toBe(1);
});
