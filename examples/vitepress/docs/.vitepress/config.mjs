import { defineConfig } from 'vitepress';

export default defineConfig({ title: 'Lilac and VitePress' });
