import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { namedByContent } from './named-by-content.ts';
import type { Plan } from './plan.ts';

let source: string;
beforeAll(() => {
  source = mkdtempSync(join(tmpdir(), 'lilac-named-'));
  mkdirSync(join(source, 'web', 'public', 'assets'), { recursive: true });
  writeFileSync(join(source, 'web', 'public', 'assets', 'icon-facebook.svg'), '');
});
afterAll(() => rmSync(source, { recursive: true }));

const plan = { framework: 'vite', buildCommand: 'npm run build', rootDirectory: 'web' } as Plan;

describe('what Vite made', () => {
  it.each(['/assets/index-lqnabuvx.js', '/assets/index-IeeYjUKE.css', '/assets/fonts/a-MYM-Zrj9.woff2.map'])(
    '%s is named by its content',
    (path) => {
      expect(namedByContent(source, plan)(path)).toBe(true);
    },
  );

  it.each(['/index.html', '/assets/index.js', '/other/index-IeeYjUKE.js', '/assets/icon-facebook.svg'])(
    '%s is not, or was only copied',
    (path) => {
      expect(namedByContent(source, plan)(path)).toBe(false);
    },
  );

  it('is told by the project alone: a folder that leads out of it is as good as none', () => {
    const outside = mkdtempSync(join(tmpdir(), 'lilac-outside-'));
    mkdirSync(join(outside, 'assets'));
    writeFileSync(join(outside, 'assets', 'icon-facebook.svg'), '');
    mkdirSync(join(source, 'linked'));
    symlinkSync(outside, join(source, 'linked', 'public'));
    const isNamed = namedByContent(source, { ...plan, rootDirectory: 'linked' });
    expect(isNamed('/assets/icon-facebook.svg')).toBe(isNamed('/assets/icon-linkedin.svg'));
    rmSync(outside, { recursive: true });
  });

  it('is not expected where Vite built nothing', () => {
    for (const other of [{ framework: 'eleventy' }, { framework: null }, { buildCommand: null }]) {
      expect(namedByContent(source, { ...plan, ...other })('/assets/index-IeeYjUKE.css')).toBe(false);
    }
  });
});
