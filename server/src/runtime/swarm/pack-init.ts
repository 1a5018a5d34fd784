import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const MAIN = 'runtime/swarm/init/main.ts';
/** Where a task finds the parcel, and lays out what is in it. */
export const INIT_FILE = '/run/lilac-init.json';
const PLACE = '/opt/lilac';

export interface PackedInit {
  /** By its content: a task runs what it was started with, whatever version the platform has by then. */
  name: string;
  data: Buffer;
}

/** The first process of tasks, with everything that it imports: the image need not change with the platform. */
export function packInit(): PackedInit {
  const files = new Map<string, string>([['package.json', '{"type":"module"}']]);
  collect(MAIN, files);
  const data = Buffer.from(JSON.stringify(Object.fromEntries(files)));
  return { name: `lilac-init-${createHash('sha256').update(data).digest('hex').slice(0, 16)}`, data };
}

/** The same for every task: it holds no value of anybody. */
export const initArgv: readonly string[] = [
  'node',
  '--max-old-space-size=48',
  '--disable-warning=ExperimentalWarning',
  '-e',
  `const fs = require('node:fs'), path = require('node:path');
for (const [name, text] of Object.entries(JSON.parse(fs.readFileSync('${INIT_FILE}', 'utf8')))) {
  const file = path.join('${PLACE}', name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}
import('${PLACE}/${MAIN}');`,
];

const IMPORT = /^(?:import|export)\s+(?!type\b)[^;]*?from\s+'(\.[^']+)'/gm;

function collect(path: string, files: Map<string, string>): void {
  if (files.has(path)) return;
  const text = readFileSync(join(root, path), 'utf8');
  files.set(path, text);
  for (const [, specifier = ''] of text.matchAll(IMPORT)) {
    collect(relative(root, resolve(root, dirname(path), specifier)), files);
  }
}
