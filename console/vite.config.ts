import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressedCopies } from './build/compressed-copies.ts';
import { endpointTable } from '../sdk/build/endpoint-table.ts';

/** Where `npm start` puts the platform; the development server passes calls on to it. */
const platform = 'http://localhost:7080';
const proxied = { target: platform, headers: { origin: platform } };

/** What most pages have is one file: a first visit would ask for dozens of a few hundred bytes each. */
const codeSplitting = { groups: [{ name: 'common', test: /console\/src\//, minShareCount: 8 }] };

export default defineConfig(({ command }) => {
  // Whoever builds may be a test or a developer's shell; what people load is never React's development build.
  if (command === 'build') process.env['NODE_ENV'] = 'production';
  return {
    plugins: [react(), endpointTable(), compressedCopies()],
    server: { proxy: { '/api': proxied, '/console': proxied } },
    // The Content-Security-Policy allows files of our own origin only: nothing may become inline.
    build: {
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: { output: { codeSplitting } },
    },
  };
});
