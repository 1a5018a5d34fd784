import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { beforeAll, describe, expect, it, vi } from 'vitest';

describe('what a browser loads first', () => {
  let files: Rolldown.RolldownOutput['output'];
  beforeAll(async () => {
    // As it is when a test or a shell of a developer builds.
    vi.stubEnv('NODE_ENV', 'development');
    const root = fileURLToPath(new URL('..', import.meta.url));
    const built = await build({ root, logLevel: 'error', build: { write: false } });
    files = (built as Rolldown.RolldownOutput).output;
    vi.unstubAllEnvs();
  });

  const textOf = (file: (typeof files)[number]) => String(file.type === 'chunk' ? file.code : file.source);

  const contentOf = (name: string) => {
    const file = files.find(({ fileName }) => fileName === name)!;
    return Buffer.from(file.type === 'chunk' ? file.code : file.source);
  };

  const chunks = () => files.filter((file) => file.type === 'chunk');
  const entry = () => chunks().find((chunk) => chunk.isEntry)!;
  /** With everything it imports at once, as a browser fetches it before anything is shown. */
  const firstLoad = (chunk = entry(), seen = new Set<string>()): string[] => {
    if (seen.has(chunk.fileName)) return [];
    seen.add(chunk.fileName);
    const imported = chunk.imports.flatMap((name) => chunks().filter((other) => other.fileName === name));
    return [chunk.code, ...imported.flatMap((other) => firstLoad(other, seen))];
  };

  it('is at most 120 kB of script as it travels: React, the shell and the first page', () => {
    const bytes = firstLoad().reduce((sum, code) => sum + gzipSync(code).length, 0);
    expect(bytes).toBeLessThan(120_000);
  });

  it('leaves the other pages for when they are asked for', () => {
    expect(entry().dynamicImports.length).toBeGreaterThan(10);
  });

  it('holds how to call every endpoint, and none of their schemas', () => {
    const script = firstLoad().join('\n');
    expect(script).toContain('/api/auth/device/decide');
    expect(script).not.toContain('ZodError');
    expect(script).not.toContain('Show which device asks to be signed in');
  });

  it('is a page without anything inline, as the content security policy demands', () => {
    const page = textOf(files.find((file) => file.fileName === 'index.html')!);
    expect(page).toMatch(/<script [^>]*src="\/assets\/[^"]+\.js"><\/script>/);
    expect(page).not.toMatch(/<script(?![^>]*src=)|<style|style=|onload=|https?:/);
  });

  it('comes with compressed copies of all its text', () => {
    const names = files.map((file) => file.fileName);
    for (const name of names.filter((name) => /\.(js|css|html)$/.test(name))) {
      expect(names).toEqual(expect.arrayContaining([`${name}.br`, `${name}.gz`]));
    }
  });

  it('the copies hold what the files hold', () => {
    for (const { fileName } of chunks()) {
      const content = contentOf(fileName);
      expect(brotliDecompressSync(contentOf(`${fileName}.br`)).equals(content)).toBe(true);
      expect(gunzipSync(contentOf(`${fileName}.gz`)).equals(content)).toBe(true);
    }
  });
});
