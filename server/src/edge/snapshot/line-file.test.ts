import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readLineFile, writeLineFile } from './line-file.ts';

it('nothing is left of what one who was killed had begun to write', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-line-file-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'routes.json');
  writeFileSync(`${path}.new`, '{"format":1,"count":70000}\n{"half":');
  await writeLineFile(path, { format: 1 }, [{ name: 'whole' }]);
  expect(readdirSync(folder)).toEqual(['routes.json']);
  expect((await readLineFile(path, (item) => item))?.items).toEqual([{ name: 'whole' }]);
});
