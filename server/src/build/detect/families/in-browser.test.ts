import { describe, expect, it } from 'vitest';
import { planFor } from '../testing/plan-for.ts';

const cargo = (dependencies: string) => `[package]\nname = "shop"\n[dependencies]\n${dependencies}\n`;

describe('Rust for the browser', () => {
  const site = { deploymentType: 'static', buildCommand: 'trunk build --release', outputDirectory: 'dist' };

  it('is built by Trunk where its settings, its page or its libraries say so', async () => {
    const page = { 'index.html': '<link data-trunk rel="css" href="a.css">' };
    expect(await planFor({ 'Cargo.toml': cargo('yew = "0.21"'), 'Trunk.toml': '' })).toMatchObject({
      ...site,
      framework: 'yew',
      isSinglePage: true,
    });
    expect(await planFor({ 'Cargo.toml': cargo('wasm-bindgen = "0.2"'), ...page })).toMatchObject(site);
    const leptos = cargo('leptos = { version = "0.8", features = ["csr"] }');
    expect(await planFor({ 'Cargo.toml': leptos, 'index.html': '' })).toMatchObject({ ...site, framework: 'leptos' });
    expect(await planFor({ 'Cargo.toml': leptos, 'Trunk.toml': '[build]\ndist = "out"' })).toMatchObject({
      outputDirectory: 'out',
    });
  });

  it('is a server where it renders on one, or only has a page to hand out', async () => {
    const rendered = `${cargo('leptos = "0.8"\naxum = "0.8"')}[features]\nssr = []\nhydrate = []\n`;
    expect(await planFor({ 'Cargo.toml': rendered, 'index.html': '' })).toMatchObject({ deploymentType: 'container' });
    const axum = { 'Cargo.toml': cargo('axum = "0.8"'), 'index.html': '<h1>Hi</h1>' };
    expect(await planFor(axum)).toMatchObject({ framework: 'axum', deploymentType: 'container' });
  });

  it('is built by dx where it is set up for it', async () => {
    const dioxus = cargo('dioxus = { version = "0.6", features = ["web"] }');
    expect(await planFor({ 'Cargo.toml': dioxus, 'Dioxus.toml': '' })).toMatchObject({
      framework: 'dioxus',
      deploymentType: 'static',
      outputDirectory: 'target/dx/shop/release/web/public',
    });
  });
});

describe('Elm', () => {
  const elm = { 'elm.json': { type: 'application' }, 'src/Main.elm': 'module Main exposing (main)' };

  it('is compiled to the script that its page asks for, or to a page', async () => {
    expect(await planFor(elm)).toMatchObject({
      framework: 'elm',
      deploymentType: 'static',
      buildCommand: 'elm make src/Main.elm --optimize --output=dist/index.html',
      outputDirectory: 'dist',
    });
    const page = '<script src="https://cdn.example/x.js"></script><script src="/js/elm.js"></script>';
    expect(await planFor({ ...elm, 'public/index.html': page })).toMatchObject({
      buildCommand: 'elm make src/Main.elm --optimize --output=public/js/elm.js',
      outputDirectory: 'public',
    });
  });

  it('of another main file is refused, with what would build it', async () => {
    const other = { 'elm.json': { type: 'application' }, 'src/Shop.elm': 'module Shop exposing (main)' };
    await expect(planFor(other)).rejects.toThrow('Name its main file so, or add a package.json with a build script');
    const script = { scripts: { build: 'elm make src/Shop.elm --output=dist/index.html' } };
    expect(await planFor({ ...other, 'package.json': script })).toMatchObject({ outputDirectory: 'dist' });
  });

  it('is built by the script of a package.json, or by its bundler', async () => {
    const script = { scripts: { build: 'elm make src/Main.elm --output=public/main.js' } };
    expect(await planFor({ ...elm, 'package.json': script, 'public/index.html': '' })).toMatchObject({
      framework: 'elm',
      buildCommand: 'npm run build',
      outputDirectory: 'public',
    });
    const app = { scripts: { build: 'elm-app build' } };
    expect((await planFor({ ...elm, 'package.json': app })).outputDirectory).toBe('build');
    const vite = { scripts: { build: 'vite build' }, devDependencies: { vite: '7.0.0' } };
    expect((await planFor({ ...elm, 'package.json': vite })).framework).toBe('vite');
  });

  it('without a main file is refused with what to do, not published as source', async () => {
    await expect(planFor({ 'elm.json': { type: 'application' }, 'index.html': '' })).rejects.toThrow(
      'with a build script: elm make',
    );
  });
});

describe('Flutter', () => {
  const pubspec = 'name: shop\ndependencies:\n  flutter:\n    sdk: flutter\n';

  it('is built for the web where it has a page for it', async () => {
    const plan = await planFor({ 'pubspec.yaml': pubspec, 'web/index.html': '', 'lib/main.dart': '' });
    expect(plan).toMatchObject({
      framework: 'flutter',
      deploymentType: 'static',
      buildCommand: 'flutter build web --release',
      outputDirectory: 'build/web',
    });
    expect(plan.notes.join()).toContain('must be installed');
  });

  it('is no site where it is for phones alone, and other Dart is none at all', async () => {
    expect((await planFor({ 'pubspec.yaml': pubspec, 'lib/main.dart': '' })).deploymentType).toBe('container');
    const dart = { 'pubspec.yaml': 'name: x\ndependencies:\n  shelf: any\n', 'web/index.html': '' };
    expect((await planFor(dart)).framework).toBeNull();
  });
});
