import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { endpointHelperTypes, renderEndpointTypes } from './render-endpoint-types.ts';

const ENTRY = 'sdk/src/lilac.d.ts';

/** Made here, since nobody outside has zod. */
const generated: Record<string, () => string> = {
  'contract/src/endpoint.d.ts': () => endpointHelperTypes,
  'contract/src/endpoints.d.ts': renderEndpointTypes,
};

/** Copies what the entry leads to, with imports that can be followed outside of this repository. */
export function collectTypes({ from, to }: { from: string; to: string }): void {
  const waiting = [ENTRY];
  const known = new Set(waiting);
  for (const file of waiting) {
    const text = generated[file]?.() ?? readFileSync(join(from, file), 'utf8');
    const linked = text.replaceAll(/(from ['"])([^'"]+)(['"])/g, (_, before: string, source: string, after: string) => {
      const target = fileOf(source, file);
      if (!known.has(target)) waiting.push(target);
      known.add(target);
      const path = posix.relative(posix.dirname(file), target).replace(/\.d\.ts$/, '.js');
      return before + (path.startsWith('.') ? path : `./${path}`) + after;
    });
    const place = join(to, file);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, linked);
  }
}

function fileOf(source: string, importer: string): string {
  const ours = /^@lilac\/contract\/(.+)$/.exec(source);
  if (ours) return `contract/src/${ours[1]}.d.ts`;
  if (!source.startsWith('.')) throw new Error(`${importer} needs ${source}, which nobody outside has.`);
  return posix.join(posix.dirname(importer), source).replace(/\.ts$/, '.d.ts');
}
