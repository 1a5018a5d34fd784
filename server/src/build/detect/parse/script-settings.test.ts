import { describe, expect, it } from 'vitest';
import { isSetTo, onlyString, readScriptSettings } from './script-settings.ts';

describe('settings read out of a script', () => {
  it('are not taken from comments', () => {
    const settings = readScriptSettings(`
      export default {
        // output: 'export',
        /* output: 'export', */
        reactStrictMode: true, // output: 'export'
      };`);
    expect(settings.find('output')).toBeNull();
    expect(settings.find('reactStrictMode')?.words).toEqual(['true']);
  });

  it('are found although strings and patterns look like comments or quotes', () => {
    const settings = readScriptSettings(`
      const url = 'https://example.test/*';
      const pattern = /["'/*]/g;
      const text = \`\${url} // not a comment\`;
      module.exports = { outDir: "dist" };`);
    expect(onlyString(settings.find('outDir'))).toBe('dist');
  });

  it('are told apart by what encloses them', () => {
    const settings = readScriptSettings(`export default (config) => {
      return { entry: { output: 'first' }, dir: { input: 'src', output: 'second' } };
    }`);
    expect(onlyString(settings.find('dir.output'))).toBe('second');
    expect(onlyString(settings.find('dir.input'))).toBe('src');
    expect(settings.find('build.output')).toBeNull();
  });

  it('may be typed, quoted, assigned later, or made by a call', () => {
    const settings = readScriptSettings(`
      const config: NextConfig = { 'distDir': 'a' };
      config.output = 'export'
      const other = require('x')
      export default defineConfig({ build: { outDir: resolve(__dirname, 'b') } });`);
    expect(onlyString(settings.find('distDir'))).toBe('a');
    expect(onlyString(settings.find('output'))).toBe('export');
    expect(onlyString(settings.find('build.outDir'))).toBe('b');
    expect([...settings.imports]).toEqual(['x']);
  });

  it('that depend on something are only understood for production', () => {
    expect(isSetTo(outputSetTo(`process.env.NODE_ENV === 'production' ? 'export' : undefined`), 'export')).toBe(true);
    expect(isSetTo(outputSetTo(`process.env.EXPORT ? 'export' : 'standalone'`), 'export')).toBe(false);
    expect(isSetTo(outputSetTo(`'export' as const`), 'export')).toBe(true);
    expect(isSetTo(outputSetTo(`'standalone'`), 'export')).toBe(false);
  });

  it('name the modules that are imported', () => {
    const { imports } = readScriptSettings(`
      import adapter from '@sveltejs/adapter-static';
      // import auto from '@sveltejs/adapter-auto';
      import 'side-effect';
      const late = await import("late");`);
    expect([...imports]).toEqual(['@sveltejs/adapter-static', 'side-effect', 'late']);
  });

  it('survive text that is no script', () => {
    for (const text of [
      '',
      '{{{',
      '}}}',
      `'unclosed`,
      '/* unclosed',
      '\u0000\uFFFF',
      '`${',
      'a: b: c: [',
      '/'.repeat(5000),
    ]) {
      expect(readScriptSettings(text).find('output')).toBeNull();
    }
  });

  it('are read in bounded work from a file that nests without end', () => {
    expect(onlyString(readScriptSettings(`${'a:{'.repeat(60_000)} b: 'c'`).find('b'))).toBeNull();
    expect(onlyString(readScriptSettings(`${'a:{'.repeat(2000)} b: 'c'`).find('a.b'))).toBe('c');
  });
});

function outputSetTo(text: string) {
  return readScriptSettings(`export default { output: ${text} }`).find('output');
}
