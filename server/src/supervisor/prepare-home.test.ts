import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { prepareHome, takeHome } from './prepare-home.ts';

describe('LILAC_HOME', () => {
  it('is made for its owner alone', () => {
    const home = join(newFolder(), 'deep', 'home');
    prepareHome({ home });
    expect(statSync(home).mode & 0o777).toBe(0o700);
    expect(statSync(join(home, 'secrets')).mode & 0o777).toBe(0o700);
  });

  it('is closed when it was open', () => {
    const home = newFolder();
    chmodSync(home, 0o755);
    prepareHome({ home });
    expect(statSync(home).mode & 0o777).toBe(0o700);
  });

  it("is refused, and left as it is, when it is somebody's folder", () => {
    const home = newFolder();
    writeFileSync(join(home, 'letter.txt'), 'Dear …');
    chmodSync(home, 0o755);
    expect(() => prepareHome({ home })).toThrow(/other things in it/);
    expect(statSync(home).mode & 0o777).toBe(0o755);
  });

  it('is refused when it is no folder', () => {
    const home = join(newFolder(), 'file');
    writeFileSync(home, '');
    expect(() => prepareHome({ home })).toThrow(/LILAC_HOME/);
  });

  it.runIf(process.getuid?.() === 0)('is refused when it belongs to somebody else', () => {
    const home = newFolder();
    chownSync(home, 12_345, 12_345);
    expect(() => prepareHome({ home })).toThrow(/belongs to user 12345/);
  });

  it('has one supervisor at a time, and the second learns which', () => {
    const home = newFolder();
    prepareHome({ home });
    const giveBack = takeHome({ home });
    expect(() => takeHome({ home })).toThrow(`process ${process.pid}`);
    giveBack();
    takeHome({ home })();
  });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-home-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
