module.exports = {
  title: 'Lilac and Docusaurus',
  url: 'https://docs.example',
  baseUrl: '/',
  presets: [['classic', { docs: { routeBasePath: '/' }, blog: false }]],
};
