export default function configure(config) {
  config.addPassthroughCopy({ 'src/style.css': 'style.css' });
  config.addCollection('notes', (api) => api.getFilteredByGlob('src/notes/*.md'));
  return {
    dir: {
      input: 'src',
      // output: 'public',
      output: '_site',
    },
  };
}
