import { describe, expect, it } from 'vitest';
import { planFor } from '../testing/plan-for.ts';

function project(dependencies: Record<string, string>, scripts: Record<string, string> = { build: 'build' }) {
  return { 'package.json': { dependencies, scripts } };
}

describe('Next.js', () => {
  const next = project({ next: '16.0.0' }, { build: 'next build', start: 'next start' });

  it('is a server, also where an export is only commented out', async () => {
    const plan = await planFor({ ...next, 'next.config.js': `module.exports = {\n  // output: "export",\n};` });
    expect(plan).toMatchObject({
      deploymentType: 'container',
      startCommand: 'npm run start',
      cacheFolders: ['.next/cache'],
      buildVariables: { NEXT_TELEMETRY_DISABLED: '1' },
    });
  });

  it('is static with an export, in the folder that it is told to use', async () => {
    const plan = await planFor({ ...next, 'next.config.ts': `export default { output: 'export', distDir: './site' }` });
    expect(plan).toMatchObject({ deploymentType: 'static', outputDirectory: 'site', isSinglePage: false });
    expect(await planFor({ ...next, 'next.config.mjs': `export default { output: "export" }` })).toMatchObject({
      outputDirectory: 'out',
    });
  });

  it('set to static without an export is told what it needs', async () => {
    const plan = await planFor(next, { deploymentType: 'static' });
    expect(plan).toMatchObject({ deploymentType: 'static', outputDirectory: 'out', startCommand: null });
    expect(plan.notes.join()).toContain("output: 'export'");
  });

  it('is built by its own program where no script is there', async () => {
    const plan = await planFor({ ...project({ next: '16.0.0' }, {}), 'pnpm-lock.yaml': `lockfileVersion: '9.0'` });
    expect(plan).toMatchObject({ buildCommand: 'pnpm exec next build', startCommand: 'pnpm exec next start' });
  });
});

describe('Nuxt', () => {
  const scripts = { build: 'nuxt build', generate: 'nuxt generate' };

  it('is a server of Nitro', async () => {
    expect(await planFor(project({ nuxt: '^4.0.0' }, scripts))).toMatchObject({
      deploymentType: 'container',
      startCommand: 'node .output/server/index.mjs',
      buildVariables: { NITRO_PRESET: 'node-server' },
    });
  });

  it('set to static is generated, without a server around it', async () => {
    const plan = await planFor(project({ nuxt: '^4.0.0' }, scripts), { deploymentType: 'static' });
    expect(plan).toMatchObject({ buildCommand: 'npm run generate', outputDirectory: '.output/public' });
    expect(plan.buildVariables).not.toHaveProperty('NITRO_PRESET');
  });

  it('of the second major writes to dist', async () => {
    const files = { ...project({ nuxt: '^2.15.0' }, scripts), 'nuxt.config.js': `export default { target: 'static' }` };
    expect(await planFor(files)).toMatchObject({ deploymentType: 'static', outputDirectory: 'dist' });
  });
});

describe('Astro', () => {
  it('is static by itself, and with a setting of where to write to', async () => {
    const files = { ...project({ astro: '5.0.0' }), 'astro.config.mjs': `export default { outDir: './public' }` };
    expect(await planFor(files)).toMatchObject({ deploymentType: 'static', outputDirectory: 'public' });
  });

  it('is a server with an adapter in use, not with one that is only installed', async () => {
    const installed = project({ astro: '5.0.0', '@astrojs/node': '9.0.0' });
    const config = `import node from '@astrojs/node';\nexport default { adapter: node({ mode: 'standalone' }) }`;
    expect((await planFor(installed)).deploymentType).toBe('static');
    expect((await planFor({ ...installed, 'astro.config.mjs': `/*${config}*/` })).deploymentType).toBe('static');
    expect(await planFor({ ...installed, 'astro.config.mjs': config })).toMatchObject({
      deploymentType: 'container',
      startCommand: 'node ./dist/server/entry.mjs',
    });
  });

  it('for another platform says so, and refuses to be static', async () => {
    const config = `import x from '@astrojs/vercel';\nexport default { output: 'server', adapter: x() }`;
    const files = { ...project({ astro: '5.0.0', '@astrojs/vercel': '9.0.0' }), 'astro.config.mjs': config };
    expect((await planFor(files)).notes.join()).toContain('@astrojs/vercel builds for another platform');
    await expect(planFor(files, { deploymentType: 'static' })).rejects.toThrow('remove the adapter');
  });
});

describe('SvelteKit', () => {
  const both = { '@sveltejs/kit': '2.0.0', '@sveltejs/adapter-auto': '7.0.0', '@sveltejs/adapter-static': '3.0.0' };

  it('follows the adapter that is imported, not those that are installed', async () => {
    const auto = { ...project(both), 'svelte.config.js': `import adapter from '@sveltejs/adapter-auto';` };
    expect(await planFor(auto)).toMatchObject({
      deploymentType: 'container',
      startCommand: 'node build',
      buildVariables: { GCP_BUILDPACKS: 'true' },
    });
    const files = {
      ...project(both),
      'svelte.config.js': `import adapter from '@sveltejs/adapter-static';
        export default { kit: { adapter: adapter({ pages: 'www', fallback: '200.html' }) } };`,
    };
    const plan = await planFor(files);
    expect(plan).toMatchObject({ deploymentType: 'static', outputDirectory: 'www', isSinglePage: true });
    expect(plan.buildVariables).not.toHaveProperty('GCP_BUILDPACKS');
  });

  it('refuses to be static without the adapter for it', async () => {
    await expect(planFor(project({ '@sveltejs/kit': '2.0.0' }), { deploymentType: 'static' })).rejects.toThrow(
      '@sveltejs/adapter-static',
    );
  });
});

describe('React Router and Remix', () => {
  it('are static only without rendering on a server', async () => {
    const router = project({ '@react-router/dev': '7.0.0' });
    const spa = { ...router, 'react-router.config.ts': `export default { ssr: false } satisfies Config` };
    expect(await planFor(spa)).toMatchObject({ outputDirectory: 'build/client', isSinglePage: true });
    expect((await planFor(router)).startCommand).toBe('npx react-router-serve ./build/server/index.js');
    await expect(planFor(router, { deploymentType: 'static' })).rejects.toThrow('set ssr: false');
  });
});

describe('Angular', () => {
  const angular = project(
    { '@angular/core': '21.0.0', '@angular/cli': '21.0.0' },
    { build: 'ng build', start: 'ng serve' },
  );
  const build = (builder: string, options: object) => ({
    ...angular,
    'angular.json': `// comments are legal\n${JSON.stringify({ projects: { app: { architect: { build: { builder, options } } } } })}`,
  });

  async function written(builder: string, options: object): Promise<string | null> {
    return (await planFor(build(builder, options))).outputDirectory;
  }

  it('writes where its builder does', async () => {
    expect(await written('@angular/build:application', {})).toBe('dist/app/browser');
    expect(await written('@angular/build:application', { outputPath: 'out' })).toBe('out/browser');
    expect(await written('@angular/build:application', { outputPath: { base: 'out', browser: '' } })).toBe('out');
    expect(await written('@angular-devkit/build-angular:browser', { outputPath: 'dist/x' })).toBe('dist/x');
  });

  it('is a server where it renders on one', async () => {
    const plan = await planFor(build('@angular/build:application', { ssr: { entry: 'src/server.ts' } }));
    expect(plan).toMatchObject({ deploymentType: 'container', startCommand: 'node dist/app/server/server.mjs' });
    const prerendered = await planFor(build('@angular/build:application', { ssr: true, outputMode: 'static' }));
    expect(prerendered.deploymentType).toBe('static');
  });
});

describe('Vite', () => {
  const vite = project({ vite: '7.0.0' }, { build: 'vite build', start: 'vite' });

  async function outDir(config: string): Promise<string | null> {
    return (await planFor({ ...vite, 'vite.config.ts': config })).outputDirectory;
  }

  it('writes to the folder of its settings or arguments', async () => {
    expect(await outDir(`export default { build: { outDir: 'build' } }`)).toBe('build');
    expect(await outDir(`export default { root: 'src', build: { outDir: '../dist' } }`)).toBe('dist');
    expect(await outDir(`export default {} // build: { outDir: 'x' }`)).toBe('dist');
    const argued = project({ vite: '7.0.0' }, { build: 'vite build --outDir=www' });
    expect((await planFor(argued)).outputDirectory).toBe('www');
  });

  it('falls back to its page, unless it has many', async () => {
    expect((await planFor(vite)).isSinglePage).toBe(true);
    const pages = { ...vite, 'vite.config.js': `export default { appType: 'mpa' }` };
    expect((await planFor(pages)).isSinglePage).toBe(false);
  });

  it('beside a server of its own is not what is deployed', async () => {
    const files = project({ vite: '7.0.0', express: '5.0.0' }, { build: 'vite build', start: 'node server.js' });
    expect(await planFor(files)).toMatchObject({ framework: 'express', deploymentType: 'container' });
  });

  it('with documentation beside it is still what is deployed', async () => {
    const files = project(
      { vite: '7.0.0', vitepress: '1.0.0' },
      { build: 'vite build', 'docs:build': 'vitepress build docs' },
    );
    expect((await planFor(files)).framework).toBe('vite');
  });
});

describe('generators of sites', () => {
  it('write to the folder of their settings', async () => {
    const eleventy = project({ '@11ty/eleventy': '3.0.0' });
    const config = `module.exports = () => ({ dir: { input: 'src', output: 'public' } });`;
    expect((await planFor({ ...eleventy, '.eleventy.js': config })).outputDirectory).toBe('public');
    const hexo = { ...project({ hexo: '8.0.0' }), '_config.yml': '# public_dir: a\npublic_dir: b\n' };
    expect((await planFor(hexo)).outputDirectory).toBe('b');
    const press = { ...project({ vitepress: '1.0.0' }, {}), '.vitepress/config.mts': '', 'index.md': '' };
    expect(await planFor(press)).toMatchObject({
      outputDirectory: '.vitepress/dist',
      buildCommand: 'npx vitepress build .',
    });
  });
});

describe('a package without a framework', () => {
  it('is pages where it has some and only a server for writing them', async () => {
    const files = {
      ...project({ 'live-server': '1.0.0' }, { start: 'live-server .' }),
      'index.html': '',
      'index.js': '',
    };
    expect(await planFor(files)).toMatchObject({ deploymentType: 'static', outputDirectory: '' });
  });

  it('may be built to files where that is wanted', async () => {
    const files = project({ esbuild: '0.27.0' }, { build: 'esbuild app.js --bundle --outdir=site' });
    expect(await planFor(files, { deploymentType: 'static' })).toMatchObject({ outputDirectory: 'site' });
  });

  it('is told that nothing starts it, unless it is files or somebody has said what does', async () => {
    const files = project({ lodash: '4.0.0' }, { build: 'node make-pages.js' });
    const words = 'add a start script to package.json, or create the application anew with a start command.';
    expect((await planFor(files)).notes.join()).toContain(words);
    expect((await planFor(files, { deploymentType: 'static' })).notes.join()).not.toContain('start');
    expect((await planFor(files, { startCommand: 'node run.js' })).notes.join()).not.toContain('start');
  });
});
