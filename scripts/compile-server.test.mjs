import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { compileServer } from './compile-server.mjs';

let scratch;
let said;
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'lilac-compile-'));
  said = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += text;
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(scratch, { recursive: true });
});

/** A build whose parts do this when they are loaded. */
function writeBuild(program) {
  const built = join(scratch, 'built');
  mkdirSync(built);
  for (const part of ['run-server', 'run-role', 'api', 'worker', 'edge']) {
    writeFileSync(join(built, `${part}-01234567.mjs`), program);
  }
  return built;
}

describe('compiling what was built', () => {
  it('keeps what it compiled, and does it once', async () => {
    const [built, folder] = [writeBuild('export const answer = 42;'), join(scratch, 'compiled')];
    await compileServer(built, folder);
    expect(said).toContain('done in');
    expect(readdirSync(folder).length).toBeGreaterThan(1);
    said = '';
    await compileServer(built, folder);
    expect(said).toBe('');
  });

  it('does not keep the server from starting where it fails, and is tried again', async () => {
    const [built, folder] = [writeBuild('throw new Error("no such luck");'), join(scratch, 'compiled')];
    await compileServer(built, folder);
    expect(said).toContain('no such luck');
    expect(said).toContain('starts more slowly');
    expect(existsSync(join(folder, 'compiled-built'))).toBe(false);
  });

  it('does not keep the server from starting where nothing can be written', async () => {
    writeFileSync(join(scratch, 'file'), '');
    await compileServer(writeBuild(''), join(scratch, 'file', 'compiled'));
    expect(said).toContain('starts more slowly');
  });
});
