import { describe, expect, it } from 'vitest';
import { hasHashedName } from './hashed-name.ts';

const CAPITALS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

describe('a name carries a hash of the content when it is', () => {
  it.each([
    // Vite and Rollup
    '/assets/index-DkJ3x9aZ.js',
    '/assets/index.DkJ3x9aZ.css',
    '/assets/logo-BWd_3-xY.svg',
    '/assets/inter-latin-400-normal-C38fXH4l.woff2',
    '/assets/vendor-C1x9_2Qd.js.map',
    '/assets/hero-DkJ3x9aZ.png',
    '/assets/chunks/theme.BfQhKjYz.js',
    '/assets/guide_start.md.C38fXH4l.lean.js',
    '/index-DkJ3x9aZ.js',
    // Parcel, Rspack
    '/index.3f9c1a2b.css',
    '/logo.3f9c1a2b.svg',
    '/static/js/index.3f9c1a2b4c.js',
    // webpack, Vue CLI, create-react-app, Docusaurus
    '/app-3f9c1a2b.js',
    '/static/js/main.3f9c1a2b.chunk.js',
    '/static/js/main.3f9c1a2b.js.LICENSE.txt',
    '/static/css/main.0a1b2c3d.css.map',
    '/js/chunk-vendors.8f1e2d3c.js',
    '/assets/js/runtime~main.4d5e6f7a.js',
    // Angular, esbuild, Remix
    '/main-5KXQ7ZJP.js',
    '/polyfills.3f9c1a2b4c5d6e7f.js',
    '/build/_shared/chunk-Q2WERT7Y.js',
    '/chunk-WIN32X64.js',
    '/styles-5KX4NUR7.css',
    '/media/inter-5KXQ7ZJP.woff2',
    '/media/photo-5KXQ7ZJP.png',
    '/build/root-DkJ3x9aZ.js',
    // Gatsby, Hugo, Rails, Ember
    '/component---src-pages-index-js-1a2b3c4d5e6f7a8b9c0d.js',
    '/static/0f1e2d3c4b5a69788796a5b4c3d2e1f0/picture.png',
    '/css/main.min.9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08.css',
    '/assets/application-9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08.js',
    '/assets/vendor-d41d8cd98f00b204e9800998ecf8427e.css',
    // whole folders
    '/_astro/hero.DkJ3x9aZ_Z1abcd.webp',
    '/_astro/page.js',
    '/_next/static/chunks/main-app.js',
    '/docs/_next/static/css/app.css',
    '/_app/immutable/entry/start.js',
    // names that are nothing else
    '/_nuxt/DkJ3x9aZ.js',
    '/_nuxt/entry.C1x9d2Qd.css',
    '/media/9f86d081884c7d659a2feaa0c55ad015.png',
  ])('%s', (path) => {
    expect(hasHashedName(path)).toBe(true);
  });
});

describe('a name does not when it is', () => {
  it.each([
    '/index.html',
    '/post-3f9c1a2b.html',
    '/app.js',
    '/app.min.js',
    '/jquery-3.7.1.min.js',
    '/bootstrap.bundle.min.js',
    '/bootstrap-5.3.2.css',
    '/sw.js',
    '/service-worker.js',
    '/manifest.webmanifest',
    '/_app/version.json',
    '/_nuxt/builds/latest.json',
    '/favicon-32x32.png',
    '/apple-touch-icon-180x180.png',
    '/android-chrome-512x512.png',
    '/hero-1920x1080.jpg',
    '/hero-800x1200.jpg',
    // dates and numbers
    '/report-20240131.pdf',
    '/report-2024-01-31.pdf',
    '/backup-20240131T120000.json',
    '/report-01feb2024.pdf',
    '/report-1feb2024.png',
    '/menu-2024dec24.json',
    '/menu-2024dec2.webp',
    '/menu-24dec24.css',
    '/budget-Q3FY2425.pdf',
    '/budget-Q3FY2425.png',
    '/photo-24Dec25a.jpg',
    '/photo-2024a01b.jpg',
    '/app-ab2024cd.js',
    '/chart-Q1FY25v2.png',
    '/assets/chart-Q1FY25v2.png',
    '/assets/chart-Q1FY25v2.js',
    '/assets/plan-Q3FY24V2.svg',
    '/series-S01E02v2.mp4',
    '/assets/series-S01E02v2.mp4',
    // systems, sizes and versions
    '/app-Win32x64.js',
    '/assets/app-Win32x64.js',
    '/app-WIN32X64.js',
    '/assets/app-WIN32X64.js',
    '/setup-MacOS14b.png',
    '/app-iOS17v2b.js',
    '/lib-PyQt5x64.js',
    '/doc-LaTeX2ed.css',
    '/video-Mp4H264a.mp4',
    '/assets/video-MP4H264A.mp4',
    '/assets/plug-USB3TYPE.webp',
    '/assets/button-Hero2xHD.png',
    '/btn-Btn2xDrk.png',
    '/assets/icon-GoToTop1.svg',
    '/icon-DoItNow1.svg',
    '/assets/style-HTML5CSS.css',
    '/assets/sheet-A4x2Col3.png',
    // files that no bundler names
    '/report-3f9c1a2b.pdf',
    '/data-3f9c1a2b4c5d6e7f.json',
    '/list-DkJ3x9aZ.txt',
    '/all-5KXQ7ZJP.zip',
    '/9f86d081884c7d659a2feaa0c55ad015.csv',
    '/photo-12345678.jpg',
    '/invoice-1234567890123456.pdf',
    '/IMG_20240131_120000.jpg',
    '/photo-DSC01234.jpg',
    '/photo-IMG20240.jpg',
    // words
    '/icon-facebook.svg',
    '/icon-Facebook.svg',
    '/layout-HomePage.css',
    '/chapter-Chapter1.md',
    '/part-Version2.js',
    '/phone-iPhoneXs.png',
    '/phone-iPhone15ProMax.png',
    '/doc-v2-Final.pdf',
    '/names-deadbeef.txt',
    '/cafe-cafe2024.jpg',
    '/font-awesome.css',
    '/my-component.module.css',
    '/lib-typescript.js',
    '/lib-JAVASCRI.js',
    // an id is not a hash of the content
    '/avatars/550e8400-e29b-41d4-a716-446655440000.png',
    '/avatars/user-550e8400-e29b-41d4-a716-4466554400ab.png',
    '/3f9c1a2b.js',
    '/LICENSE',
    '/a-3f9c1a2b',
    '/',
    '',
  ])('%s', (path) => {
    expect(hasHashedName(path)).toBe(false);
  });
});

it.each([
  ['scripts of Vite and Rollup', `${CAPITALS}${CAPITALS.toLowerCase()}0123456789_-`, '/assets/index-*.js'],
  ['scripts of esbuild and Angular', `${CAPITALS}234567`, '/chunk-*.js'],
  ['scripts of webpack and Parcel', '0123456789abcdef', '/static/js/main.*.js'],
])('finds most of the hashes in %s', (_what, alphabet, pattern) => {
  let seed = 7;
  const random = (below: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % below;
  const names = Array.from({ length: 2000 }, () => {
    const characters = Array.from({ length: 8 }, () => alphabet[Math.floor(random(100 * alphabet.length) / 100)]);
    return pattern.replace('*', characters.join(''));
  });
  expect(names.filter(hasHashedName).length).toBeGreaterThan(1200);
});
