module.exports = {
  siteMetadata: { title: 'Lilac and Gatsby' },
};
