import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
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

  it('is one script of at most 90 kB as it travels: React and ourselves', () => {
    const scripts = files.filter((file) => file.fileName.endsWith('.js'));
    expect(scripts).toHaveLength(1);
    expect(gzipSync(textOf(scripts[0]!)).length).toBeLessThan(90_000);
  });

  it('holds how to call every endpoint, and none of their schemas', () => {
    const script = textOf(files.find((file) => file.fileName.endsWith('.js'))!);
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
});
