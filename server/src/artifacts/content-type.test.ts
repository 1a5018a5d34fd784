import { expect, it } from 'vitest';
import { contentTypeOf, isCompressible } from './content-type.ts';

it.each([
  ['/index.html', 'text/html; charset=utf-8', true],
  ['/a.JS', 'text/javascript; charset=utf-8', true],
  ['/a.mjs', 'text/javascript; charset=utf-8', true],
  ['/a.css', 'text/css; charset=utf-8', true],
  ['/a.json', 'application/json; charset=utf-8', true],
  ['/a.js.map', 'application/json; charset=utf-8', true],
  ['/site.webmanifest', 'application/manifest+json; charset=utf-8', true],
  ['/feed.xml', 'text/xml; charset=utf-8', true],
  ['/a.svg', 'image/svg+xml; charset=utf-8', true],
  ['/a.wasm', 'application/wasm', true],
  ['/a.ttf', 'font/ttf', true],
  ['/a.woff2', 'font/woff2', false],
  ['/a.png', 'image/png', false],
  ['/a.avif', 'image/avif', false],
  ['/a.mp4', 'video/mp4', false],
  ['/a.zip', 'application/zip', false],
  ['/a.pdf', 'application/pdf', false],
  ['/a.unknown', 'application/octet-stream', false],
  ['/js', 'application/octet-stream', false],
  ['/constructor', 'application/octet-stream', false],
  ['/x.constructor', 'application/octet-stream', false],
  ['/valueOf', 'application/octet-stream', false],
  ['/x.toString', 'application/octet-stream', false],
  ['/__proto__', 'application/octet-stream', false],
  ['/x.__proto__', 'application/octet-stream', false],
  ['/.well-known/apple-app-site-association', 'application/json; charset=utf-8', true],
])('%s is %s', (path, type, compressible) => {
  expect(contentTypeOf(path)).toBe(type);
  expect(isCompressible(type)).toBe(compressible);
});
