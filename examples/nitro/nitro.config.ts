export default defineNitroConfig({
  compatibilityDate: '2025-07-15',
  srcDir: 'server',
});
