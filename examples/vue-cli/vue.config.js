module.exports = {
  /* outputDir: 'dist', */
  outputDir: 'www',
  publicPath: '/',
};
