import { describe, expect, it } from 'vitest';
import { isDevelopmentServer, isOwnServer } from './start-script.ts';

describe('a start script', () => {
  it.each([
    'vite',
    'vite --host',
    'npx vite dev',
    'cross-env PORT=3000 react-scripts start',
    'BROWSER=none react-scripts start',
    'ng serve --open',
    'npx @11ty/eleventy --serve',
    'npm run dev',
    'tsc && next dev',
    'webpack serve --mode development',
    'parcel index.html',
  ])('%s is for writing the project', (script) => {
    expect(isDevelopmentServer(script, { dev: 'vite' })).toBe(true);
  });

  it.each([
    'node server.js',
    'next start',
    'npm run serve:prod',
    'tsx src/index.ts',
    'vite build',
    'remix-serve x',
    'nest start',
  ])('%s is for production', (script) => {
    expect(isDevelopmentServer(script, { dev: 'vite', 'serve:prod': 'node dist/main.js' })).toBe(false);
  });

  it('that runs itself is not followed for ever', () => {
    expect(isDevelopmentServer('npm run start', { start: 'npm run start' })).toBe(false);
  });

  it('of its own is told from a tool', () => {
    expect(isOwnServer('NODE_ENV=production node server')).toBe(true);
    expect(isOwnServer('serve dist')).toBe(false);
  });
});
