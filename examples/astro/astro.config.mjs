import { defineConfig } from 'astro/config';

// A server is not needed: output: 'server' stays off.
export default defineConfig({
  site: 'https://astro.example',
});
