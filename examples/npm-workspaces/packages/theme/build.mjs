import { cpSync } from 'node:fs';

cpSync('theme.js', 'dist/theme.js');
