import { describe, expect, it } from 'vitest';
import { planFor } from '../testing/plan-for.ts';

const startOf = async (code: string, manifest: object = {}) =>
  (await planFor({ 'src/index.js': code, 'package.json': { dependencies: { hono: '4.0.0' }, ...manifest } }))
    .startCommand;

describe('an application that only exports itself', () => {
  it('is served by the platform', async () => {
    expect(await startOf('const app = new Hono();\nexport default app;')).toBe('node .lilac/serve.mjs src/index.js');
    expect(await startOf('const app = express();\nmodule.exports = app; // app.listen(3000)')).toBe(
      'node .lilac/serve.mjs src/index.js',
    );
  });

  it('is left alone where it listens by itself, has a script, or is no server', async () => {
    expect(await startOf('app.listen(3000);\nexport default app;')).toBe('node src/index.js');
    expect(await startOf('serve(app);\nexport default app;')).toBe('node src/index.js');
    expect(await startOf('console.log(1)')).toBe('node src/index.js');
    expect(await startOf('export default app;', { scripts: { start: 'node x.js' } })).toBe('npm run start');
    expect(await startOf('export default {};', { dependencies: { lodash: '4.0.0' } })).toBe('node src/index.js');
  });

  it('is run by Bun as it is, which knows the custom', async () => {
    expect(await startOf('export default app;', { packageManager: 'bun@1.2.0' })).toBe('bun src/index.js');
  });
});
