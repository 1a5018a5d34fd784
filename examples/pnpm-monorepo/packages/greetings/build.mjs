import { cpSync, mkdirSync } from 'node:fs';

// Stands for a compiler: what the application imports exists only after this has run.
mkdirSync('dist', { recursive: true });
cpSync('src/index.js', 'dist/index.js');
